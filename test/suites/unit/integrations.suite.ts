import { runSuite } from '../run-suite';

runSuite('unit/integrations');
