import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { NIL, v7 as uuid } from 'uuid';
import { Environment } from '../../identities/environments/environment.entity';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { unprocessable } from '../../platform/errors/errors';
import type { Caller } from '../../platform/http/access/access.decorator';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { payloadWithoutContent } from '../../transactions/download/provisioned-document';
import { translateDeliveryError } from '../../transactions/feed/translate-delivery-error';
import { errorCodeOf } from '../push/push-client';
import { pushHeaders } from '../push/push-headers';
import { resolveEndpoint } from '../push/resolve-endpoint';
import { maskedTarget, type PushTarget, redactSecret } from '../shared/client-auth';
import { deliveryError } from '../shared/delivery-error';
import { networkErrorCode } from '../shared/network-error-code';
import { type HttpAnswer, post } from '../shared/post';
import { PushLimits } from '../shared/push-limits';
import { sign } from '../shared/sign';
import type { EndpointTestView } from './endpoint.view';
import { maskedRequest } from './masked-request';

/** By which a receiver tells a test from a document (decisions 10). */
export const TEST_HEADER = { 'docfetch-test': 'true' } as const;
const CONTENT = Buffer.from('This is a test of Docfetch.\n').toString('base64');

/**
 * `POST /v1/console/endpoint/test` (decisions 10): one signed push of a made-up document while the caller waits. It belongs to no
 * connection, is recorded only in the audit log, and changes neither the circuit nor a document.
 */
@Injectable()
export class TestEndpoint {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly network: GuardedNetwork,
    private readonly limits: PushLimits,
  ) {}

  /** @throws ApiError 422 `NO_PUSH_ENDPOINT` */
  async test({ environmentUuid, actor }: Pick<Caller, 'environmentUuid' | 'actor'>): Promise<EndpointTestView> {
    const em = this.em.fork();
    const environment = await em.findOneOrFail(Environment, environmentUuid);
    const { provisioningUrl, clientAuth } = environment;
    if (environment.strategy !== 'PUSH' || provisioningUrl == null) throw unprocessable('NO_PUSH_ENDPOINT');
    // In a transaction, as only those wait for or are refused by the fence of the environment (`guardTransactions`).
    await em.transactional((tx) =>
      this.audit.insert(tx, { environmentUuid, actor, action: 'endpoint.test', subjectUuid: environmentUuid }),
    );
    const { target, secrets } = await resolveEndpoint(em, this.keyManager, environment);
    const id = uuid();
    const at = this.clock.now();
    const shown = testPayload(id);
    const body = Buffer.from(JSON.stringify({ ...shown, document: { ...shown.document, base64: CONTENT } }));
    const signature = await sign(secrets, id, at, [body]);
    const headers = { ...pushHeaders(target, signature, id, body.length), ...TEST_HEADER };
    const started = performance.now();
    const { answer, errorCode } = await this.send(environmentUuid, target, headers, body);
    const masked = maskedRequest(
      { target: maskedTarget(provisioningUrl, clientAuth), since: null },
      { id, at, length: body.length, body: shown },
    );
    const error = errorCode === null ? null : deliveryError(errorCode, answer?.status ?? null);
    return {
      request: { ...masked, headers: { ...masked.headers, ...TEST_HEADER } },
      response: answer && { status: answer.status, excerpt: redactSecret(answer.excerpt, target) },
      error: error && { code: error.code, message: translateDeliveryError(error) },
      duration_ms: Math.round(performance.now() - started),
    };
  }

  private async send(
    environmentUuid: string,
    { url }: PushTarget,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<{ answer: HttpAnswer | null; errorCode: string | null }> {
    const { webhookTimeoutMs: totalMs } = this.limits;
    try {
      const dispatcher = this.network.dispatcherOf(environmentUuid);
      const answer = await post(dispatcher, { url, headers, body }, { totalMs, idleMs: totalMs });
      return { answer, errorCode: errorCodeOf(answer.status, true) };
    } catch (error) {
      return { answer: null, errorCode: networkErrorCode(error) };
    }
  }
}

const testPayload = (transactionUuid: string) =>
  payloadWithoutContent(
    {
      uuid: transactionUuid,
      identityUuid: NIL,
      connectionUuid: NIL,
      documentType: 'document',
      externalId: 'docfetch-test',
      filename: 'docfetch-test.txt',
      mimeType: 'text/plain',
      size: 0,
      metadata: {},
    },
    'docfetch-test',
  );
