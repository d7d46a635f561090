import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Environment, SIGNING_SECRETS, type SigningSecret } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { unprocessable } from '../../platform/errors/errors';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { ReturnFromUiDto } from './ui-return.dto';
import { signReturnUrl } from '../ui-token/return-url';
import type { AboutConnection } from './ui-return-connection.guard';
import type { UiCaller } from '../tokens/ui-caller';
import type { ReturnView } from './ui-session.view';

/**
 * `POST /v1/ui/return` (decisions 3 "Return"): the signed address to which the hosted UI sends the user back. What it says
 * about the connection is what the server knows; only `result` and `action` are the browser's word.
 */
@Injectable()
export class CreateUiReturn {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: KeyManager,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 422 `NO_RETURN_URL` for a session that a link made with an API key began: it names no address */
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

  /** The newest one signs. While it is rotated a client verifies with the old one too. */
  private async secret(environmentUuid: string): Promise<string> {
    const { signingSecrets } = await this.em.findOneOrFail(Environment, environmentUuid);
    const key = await this.vault.key(this.em, environmentUuid);
    return this.vault.decrypt<SigningSecret[]>(key, SIGNING_SECRETS, signingSecrets)[0]!.secret;
  }
}
