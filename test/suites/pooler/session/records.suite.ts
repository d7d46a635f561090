import { runSuite } from '../../run-suite';

runSuite('pooler/session/records');
