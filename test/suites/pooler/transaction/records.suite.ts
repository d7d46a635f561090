import { runSuite } from '../../run-suite';

runSuite('pooler/transaction/records');
