import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Caller, CallerRequest } from '../../platform/http/access/access.decorator';
import type { ErrorCode } from '../../platform/errors/error-codes';
import { forbidden, invalid, notFound } from '../../platform/errors/errors';
import { Transaction } from './transaction.entity';

type OwnedTransaction = Pick<Transaction, 'environmentUuid' | 'identityUuid' | 'connectionUuid' | 'integrationId'>;

interface TransactionRequest extends CallerRequest {
  ownTransaction?: Transaction;
}

/** Rejects a transaction in the path with 422, 404 or 403, before anything else is checked. */
@Injectable()
export class OwnTransactionGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<TransactionRequest>();
    const uuid = request.params.transaction_uuid as string;
    if (!isUuid(uuid)) throw invalid([{ field: 'transaction_uuid', code: 'INVALID_UUID' }]);
    const transaction = await this.em.findOne(Transaction, uuid);
    if (!transaction) throw notFound('TRANSACTION_NOT_FOUND');
    assertOwnTransaction(request.caller!, transaction);
    request.ownTransaction = transaction;
    request.belongsTo = [transaction.connectionUuid];
    return true;
  }
}

/**
 * @throws ApiError 403 when the transaction is not the caller's (spec 5 rule 5) or outside the scope of the token
 *   (decisions 3).
 */
export function assertOwnTransaction(caller: Caller, transaction: OwnedTransaction): void {
  const foreign =
    caller.environmentUuid !== transaction.environmentUuid ||
    (caller.identityUuid !== null && caller.identityUuid !== transaction.identityUuid);
  if (foreign) throw forbidden('NOT_YOUR_TRANSACTION');
  const beyondToken =
    (caller.onlyConnectionUuid !== null && caller.onlyConnectionUuid !== transaction.connectionUuid) ||
    (caller.onlyIntegrationId !== null && caller.onlyIntegrationId !== transaction.integrationId);
  if (beyondToken) throw forbidden('NOT_ALLOWED_BY_TOKEN');
}

/** The transaction of the path, which the caller may access. Requires {@link OwnTransactionGuard}. */
export const OwnTransaction = createParamDecorator((_: unknown, context: ExecutionContext): Transaction => {
  return context.switchToHttp().getRequest<TransactionRequest>().ownTransaction!;
});

/** The errors of the guard, for `@ApiErrors`. */
export const NOT_OWN_TRANSACTION: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'NOT_YOUR_TRANSACTION',
  'NOT_ALLOWED_BY_TOKEN',
  'TRANSACTION_NOT_FOUND',
];
