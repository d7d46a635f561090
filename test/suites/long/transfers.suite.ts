import { runSuite } from '../run-suite';

runSuite('long/transfers');
