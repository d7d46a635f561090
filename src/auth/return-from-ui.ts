import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Connection } from '../connections/connection.entity';
import { assertOwn } from '../connections/own-connection';
import { Environment, SIGNING_SECRETS, type SigningSecret } from '../identities/environment.entity';
import { AuditEntry } from '../platform/audit/audit';
import { Clock } from '../platform/clock';
import { Vault } from '../platform/crypto/vault';
import { type ApiError, forbidden, invalid } from '../platform/http/errors';
import type { ReturnFromUiDto } from './return-from-ui.dto';
import { type ReturnParameters, signReturnUrl } from './return-url';
import type { ReturnView } from './ui-session.view';
import type { UiCaller } from './ui-caller';

type AboutConnection = Pick<ReturnParameters, 'connection_uuid' | 'integration_id' | 'status'>;

/**
 * `POST /v1/ui/return` (contract 3 "Return"): the signed address to which the hosted UI sends the user back. What it says
 * about the connection is what the server knows; only `result` and `action` are the browser's word.
 */
@Injectable()
export class ReturnFromUi {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async run(caller: UiCaller, dto: ReturnFromUiDto): Promise<ReturnView> {
    const { return_url, state } = caller.claims;
    const parameters = {
      result: dto.result,
      action: dto.action,
      identity_uuid: caller.identityUuid,
      ...(await this.connection(caller, dto)),
      state,
      ts: String(Math.floor(this.clock.now().getTime() / 1000)),
      nonce: randomBytes(16).toString('base64url'),
    };
    return { url: signReturnUrl(return_url, parameters, await this.secret(caller.environmentUuid)) };
  }

  /** The connection of the body, or else the one that the token was opened for, if it still exists. */
  private async connection(caller: UiCaller, { action, connection_uuid }: ReturnFromUiDto): Promise<AboutConnection> {
    const uuid = connection_uuid?.toLowerCase() ?? caller.onlyConnectionUuid;
    if (uuid === null) return {};
    const connection = await this.em.findOne(Connection, uuid);
    if (connection) {
      assertOwn(caller, connection);
      if (action === 'deleted') throw invalid([{ field: 'action', code: 'NOT_DELETED' }]);
      return { connection_uuid: uuid, integration_id: connection.integrationId, status: connection.status };
    }
    if (action === 'deleted') return this.deleted(caller, uuid);
    if (connection_uuid == null && action === 'none') return {};
    throw unknownConnection();
  }

  /** Of a deleted connection only the audit log still knows whose it was. */
  private async deleted(caller: UiCaller, uuid: string): Promise<AboutConnection> {
    const { environmentUuid } = caller;
    const entry = await this.em.findOne(AuditEntry, { subjectUuid: uuid, action: 'connection.delete' });
    if (!entry) throw unknownConnection();
    const { identity_uuid, integration_id } = entry.details as { identity_uuid?: string; integration_id: string };
    if (entry.environmentUuid !== environmentUuid || identity_uuid !== caller.identityUuid) {
      throw forbidden('NOT_YOUR_CONNECTION');
    }
    const beyondToken =
      (caller.onlyConnectionUuid !== null && caller.onlyConnectionUuid !== uuid) ||
      (caller.onlyIntegrationId !== null && caller.onlyIntegrationId !== integration_id);
    if (beyondToken) throw forbidden('NOT_ALLOWED_BY_TOKEN');
    return { connection_uuid: uuid, integration_id };
  }

  /** The newest one signs. While it is rotated a client verifies with the old one too. */
  private async secret(environmentUuid: string): Promise<string> {
    const { signingSecrets } = await this.em.findOneOrFail(Environment, environmentUuid);
    const key = await this.vault.key(this.em, environmentUuid);
    return this.vault.open<SigningSecret[]>(key, SIGNING_SECRETS, signingSecrets)[0]!.secret;
  }
}

const unknownConnection = (): ApiError => invalid([{ field: 'connection_uuid', code: 'CONNECTION_NOT_FOUND' }]);
