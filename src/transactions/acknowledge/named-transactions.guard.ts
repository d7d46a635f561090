import { EntityManager } from '@mikro-orm/postgresql';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { CallerRequest } from '../../platform/http/access/access.decorator';
import { assertAccess } from '../../platform/http/access/resource';
import type { InvalidField } from '../../platform/errors/errors';
import { bodyMembers } from '../../platform/http/input/json-body';
import { MAX_ACKNOWLEDGED_TOGETHER } from './acknowledge.dto';
import { TRANSACTION } from '../record/transaction-resource';
import { Transaction } from '../record/transaction.entity';

/**
 * Checks access to the transactions that a body lists before the rest of the body is validated (decisions 2): a
 * transaction of another client is answered with 403; one that does not exist, or is no UUID, is a field error at its
 * index (`transaction_uuids.3`).
 */
@Injectable()
export class NamedTransactionsGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const given = bodyMembers(request.body).transaction_uuids;
    if (!Array.isArray(given) || given.length > MAX_ACKNOWLEDGED_TOGETHER) return true; // rejected by the DTO
    const uuids = given.filter((item): item is string => typeof item === 'string' && isUuid(item));
    const found = await this.em.find(
      Transaction,
      { uuid: { $in: uuids } },
      { fields: ['environmentUuid', 'identityUuid', 'connectionUuid', 'integrationId'] },
    );
    for (const transaction of found) assertAccess(TRANSACTION, request.caller!, transaction);
    const known = new Set(found.map(({ uuid }) => uuid));
    (request.invalidBodyFields ??= []).push(
      ...given.flatMap((item: unknown, place) => fieldErrors(item, place, known)),
    );
    return true;
  }
}

function fieldErrors(item: unknown, place: number, known: ReadonlySet<string>): InvalidField[] {
  const field = `transaction_uuids.${place}`;
  if (typeof item !== 'string' || !isUuid(item)) return [{ field, code: 'INVALID_UUID' }];
  return known.has(item.toLowerCase()) ? [] : [{ field, code: 'TRANSACTION_NOT_FOUND' }];
}
