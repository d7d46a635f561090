import { runSuite } from '../run-suite';

runSuite('connectors/providers');
