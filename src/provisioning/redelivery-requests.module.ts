import { Module } from '@nestjs/common';
import { CircuitBreaker } from './circuit/circuit-breaker';
import { RecordEndpointEvent } from './circuit/record-endpoint-event';
import { RedeliverTransaction } from './redelivery/redeliver-transaction';
import { RedeliverTransactions } from './redelivery/redeliver-transactions';
import { ResetDelivery } from './redelivery/reset-delivery';

const USE_CASES = [RedeliverTransaction, RedeliverTransactions, ResetDelivery, CircuitBreaker, RecordEndpointEvent];

/** Requests deliveries again, which `ProvisioningModule` carries out. */
@Module({ providers: USE_CASES, exports: USE_CASES })
export class RedeliveryRequestsModule {}
