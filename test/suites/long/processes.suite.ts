import { runSuite } from '../run-suite';

runSuite('long/processes');
