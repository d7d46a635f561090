import { runSuite } from '../run-suite';

runSuite('unit/application');
