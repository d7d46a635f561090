import { runSuite } from '../run-suite';

runSuite('ui/console');
