import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../platform/errors/errors';
import type { Page } from '../../platform/errors/envelope';
import type { PageQuery } from '../../platform/http/input/page';
import { withSameAs } from '../../transactions/copies/with-same-as';
import { payloadWithoutContent, provisionedDocument } from '../../transactions/download/provisioned-document';
import { readTransaction } from '../../transactions/feed/read-transactions';
import type { Transaction } from '../../transactions/record/transaction.entity';
import { CONTENT_UNREADABLE } from '../push/push-client';
import { TOO_LARGE_FOR_PUSH } from '../../transactions/record/log-too-large';
import { ListAttempts } from '../redelivery/list-attempts';
import type { InspectedAttemptView } from './inspected-attempt.view';
import { maskedRequest, readMaskedEndpoint } from './masked-request';

/** Attempts that sent nothing. */
const NOT_SENT: readonly (string | undefined)[] = [TOO_LARGE_FOR_PUSH, CONTENT_UNREADABLE, 'ADDRESS_NOT_ALLOWED'];

/** `GET /v1/console/transactions/{transaction_uuid}/attempts` (decisions 10): the delivery log with the requests, oldest first. */
@Injectable()
export class InspectAttempts {
  constructor(
    private readonly em: EntityManager,
    private readonly listAttempts: ListAttempts,
  ) {}

  /** @throws ApiError 404 `TRANSACTION_NOT_FOUND`, 422 naming `cursor` */
  async list(transaction: Transaction, query: PageQuery): Promise<Page<InspectedAttemptView>> {
    const em = this.em.fork();
    const { data, meta } = await this.listAttempts.list(transaction.uuid, query);
    const placed = await readTransaction(em, transaction.uuid);
    if (!placed) throw notFound('TRANSACTION_NOT_FOUND'); // deleted since
    // The payload names the copies that were recorded earlier, the transaction all of them.
    const [sent = transaction] = await withSameAs(em, [transaction], 'earlier');
    const endpoint = await readMaskedEndpoint(em, transaction.environmentUuid);
    const body = payloadWithoutContent(sent, placed.clientIdentifier);
    const { length } = provisionedDocument(sent, placed.clientIdentifier, 'bare');
    return {
      data: data.map((attempt) => ({
        ...attempt,
        request: NOT_SENT.includes(attempt.error?.code)
          ? null
          : maskedRequest(endpoint, { id: transaction.uuid, at: new Date(attempt.started_at), length, body }),
      })),
      meta,
    };
  }
}
