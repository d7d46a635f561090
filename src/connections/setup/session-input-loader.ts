import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Integration, Session } from '../../integrations/core/integration';
import { OAuthClient } from '../../integrations/shared/oauth/oauth-client';
import { usesOAuth } from '../../integrations/shared/oauth/registered-client';
import type { TrustedFingerprints } from '../../integrations/core/server-trust';
import type { FieldInput } from '../../integrations/core/validate-fields';
import { Inboxes } from '../../integrations/shared/inbox/inboxes';
import { SandboxPortals } from '../../integrations/shared/sandbox/sandbox-portals';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';
import type { Priority } from '../../platform/network/rate-limiter';
import type { Connection } from '../state/connection.entity';
import { decryptStep1Secrets } from './step1-secrets';
import { TokenRefresher } from '../oauth/tokens/token-refresher';

/** The input with which a session with a connector is opened. */
export interface SessionInput {
  readonly fields: FieldInput;
  readonly step2: FieldInput;
  readonly trustedFingerprints: TrustedFingerprints;
  readonly accountId: string | null;
  readonly apiBaseUrl: string;
  readonly inbox: Session['inbox'];
  readonly portal: Session['portal'];
  readonly accessToken?: Session['accessToken'];
}

/** Loads a connection's input with decrypted secrets. Only for a session with its connector. */
@Injectable()
export class SessionInputLoader {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly client: OAuthClient,
    private readonly tokens: TokenRefresher,
    private readonly portals: SandboxPortals,
    private readonly inboxes: Inboxes,
  ) {}

  /** `dataKey`: the connection's, when the caller has read it already. */
  async load(
    connection: Pick<Connection, 'uuid' | 'secrets' | 'settings' | 'step2' | 'trustedFingerprints' | 'accountId'>,
    integration: Integration,
    priority: Priority,
    dataKey?: KeyRing,
  ): Promise<SessionInput> {
    const key = dataKey ?? (await this.keyManager.key(this.em.fork(), connection.uuid));
    const secrets = connection.secrets ? decryptStep1Secrets(this.keyManager, key, connection.secrets) : {};
    return {
      fields: { ...connection.settings, ...secrets },
      step2: connection.step2,
      trustedFingerprints: connection.trustedFingerprints ?? {},
      accountId: connection.accountId ?? null,
      portal: this.portals.of(connection.uuid),
      inbox: this.inboxes.of(connection.uuid, key),
      apiBaseUrl: this.client.apiBaseUrl(integration),
      ...(usesOAuth(integration) && { accessToken: this.tokens.forSession(connection.uuid, integration, priority) }),
    };
  }
}
