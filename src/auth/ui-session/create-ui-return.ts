import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import {
  Environment,
  isRetired,
  SIGNING_SECRETS,
  type SigningSecret,
} from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { unprocessable } from '../../platform/errors/errors';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { ReturnFromUiDto } from './ui-return.dto';
import { signReturnUrl } from '../ui-token/return-url';
import type { AboutConnection } from './ui-return-connection.guard';
import type { UiCaller } from '../tokens/ui-caller';
import type { ReturnView } from './ui-session.view';

/**
 * `POST /v1/ui/return` (decisions 3 "Return"): the signed return URL. Its data about the connection come from the server; only
 * `result` and `action` come from the browser.
 */
@Injectable()
export class CreateUiReturn {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 422 `NO_RETURN_URL` for a session that began with a link created with an API key, which has no return URL */
  async create(caller: UiCaller, dto: ReturnFromUiDto, connection: AboutConnection): Promise<ReturnView> {
    const { return_url, state } = caller.claims;
    if (return_url === '') throw unprocessable('NO_RETURN_URL');
    const parameters = {
      result: dto.result,
      action: dto.action,
      identity_uuid: caller.identityUuid,
      ...connection,
      state,
      ts: String(Math.floor(this.clock.now().getTime() / 1000)),
      nonce: randomBytes(16).toString('base64url'),
    };
    return { url: signReturnUrl(return_url, parameters, await this.secret(caller.environmentUuid)) };
  }

  /** During a rotation the former secret signs until it retires: only then, clients have had time to learn the new one. */
  private async secret(environmentUuid: string): Promise<string> {
    const { signingSecrets } = await this.em.findOneOrFail(Environment, environmentUuid);
    const key = await this.keyManager.key(this.em, environmentUuid);
    const now = this.clock.now();
    const secrets = this.keyManager.decrypt<SigningSecret[]>(key, SIGNING_SECRETS, signingSecrets);
    return secrets.findLast((secret) => !isRetired(secret, now))!.secret;
  }
}
