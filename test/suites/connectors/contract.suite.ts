import { runSuite } from '../run-suite';

runSuite('connectors/contract');
