import { runSuite } from '../run-suite';

runSuite('ui/embedding');
