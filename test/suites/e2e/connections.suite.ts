import { runSuite } from '../run-suite';

runSuite('e2e/connections');
