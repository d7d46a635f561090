import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import type { Encrypted } from '../../platform/crypto/encrypted';
import { KeyManager } from '../../platform/crypto/key-manager';
import { sql } from '../../platform/database/sql';
import { type InvalidField, invalid } from '../../platform/errors/errors';
import { isClientUrl, isClosedUrl } from '../../platform/network/client-url';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { CLIENT_AUTH_SECRET, Environment } from './environment.entity';
import type { ClientAuth, Strategy } from './setting-values';
import { environmentKey, lockEnvironment, touch } from './lock-environment';
import { changedUrl } from './redact-url';

/** RFC 9110 section 5.5: a field value consists of visible characters, spaces, tabs, and bytes above US-ASCII. */
const INVALID_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/;

export interface ProvisioningSettings {
  readonly strategy: Strategy;
  /** The stored URL without its `token` means the stored URL. */
  readonly url: string | null;
  readonly auth: ClientAuth;
  /** Omitted: the stored one, if it is for the same authentication of the same origin. */
  readonly secret?: string | null | undefined;
  /** Larger documents are not pushed (decisions 6). Unchanged if omitted. */
  readonly pushLimitBytes?: number;
}

/** Sets how an environment's documents reach the client (spec 1, decisions 6 and 7). */
@Injectable()
export class SetProvisioning {
  constructor(
    private readonly em: EntityManager,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly network: GuardedNetwork,
  ) {}

  /**
   * @param expectedUpdatedAt the version that the change is based on; null: any
   * @throws ApiError 422 when the settings contradict each other or the URL is not allowed; 409 `ENVIRONMENT_CHANGED`
   * @throws Error with a message for the support team when the environment does not exist
   */
  async set(
    actor: string,
    environmentUuid: string,
    given: ProvisioningSettings,
    expectedUpdatedAt: Date | null = null,
  ): Promise<Environment> {
    const errors = [...(await this.urlErrors(given)), ...secretErrors(given)];
    if (errors.length > 0) throw invalid(errors);
    const encryptedSecret = await this.encryptSecret(environmentUuid, given);
    return this.em.fork().transactional(async (em) => {
      // Late responses of the former endpoint wait for this lock, and find another version.
      const environment = await lockEnvironment(em, environmentUuid, expectedUpdatedAt);
      const settings = { ...given, url: urlOf(environment, given) };
      if (keepsSecret(given) && !canKeepSecret(environment, settings)) {
        throw invalid([{ field: 'secret', code: 'REQUIRED' }]);
      }
      if (isOtherEndpoint(environment, settings)) await resetEndpoint(em, environment);
      environment.strategy = given.strategy;
      environment.provisioningUrl = settings.url;
      environment.clientAuth = given.auth;
      if (!keepsSecret(given)) environment.clientAuthSecret = encryptedSecret;
      environment.pushLimitBytes = given.pushLimitBytes ?? environment.pushLimitBytes;
      touch(environment, this.clock.now());
      this.audit.record(em, {
        environmentUuid,
        actor,
        action: 'provisioning.set',
        subjectUuid: environmentUuid,
        details: { strategy: given.strategy, auth: given.auth, push_limit_bytes: environment.pushLimitBytes },
      });
      return environment;
    });
  }

  private async encryptSecret(environmentUuid: string, { secret }: ProvisioningSettings): Promise<Encrypted | null> {
    if (!secret) return null;
    const key = await environmentKey(this.em.fork(), this.keyManager, environmentUuid);
    return this.keyManager.encrypt(key, CLIENT_AUTH_SECRET, secret);
  }

  private async urlErrors({ strategy, url }: ProvisioningSettings): Promise<InvalidField[]> {
    if (url === null) return strategy === 'PUSH' ? [{ field: 'url', code: 'REQUIRED' }] : [];
    // decisions 6: the same rule as for webhook URLs.
    if (!isClientUrl(url)) return [{ field: 'url', code: 'INVALID_WEBHOOK_URL' }];
    return (await isClosedUrl(this.network, url)) ? [{ field: 'url', code: 'ADDRESS_NOT_ALLOWED' }] : [];
  }
}

function secretErrors({ auth, secret }: ProvisioningSettings): InvalidField[] {
  const errorOf = (code: string): InvalidField[] => [{ field: 'secret', code }];
  if (auth === 'NONE') return secret ? errorOf('UNKNOWN_PROPERTY') : [];
  if (secret === undefined) return [];
  if (!secret) return errorOf('REQUIRED');
  if (/[\r\n\0]/.test(secret)) return errorOf('NOT_ONE_LINE');
  const isInHeader = auth === 'BEARER' || auth === 'HEADER';
  return isInHeader && INVALID_IN_HEADER.test(secret) ? errorOf('NOT_ALLOWED_IN_HEADER') : [];
}

const keepsSecret = ({ auth, secret }: ProvisioningSettings): boolean => auth !== 'NONE' && secret === undefined;

function urlOf({ provisioningUrl }: Environment, { url }: ProvisioningSettings): string | null {
  return provisioningUrl && url !== null ? changedUrl(provisioningUrl, url) : url;
}

/** A stored secret is not sent to another origin without being given again. */
function canKeepSecret(
  { provisioningUrl, clientAuth, clientAuthSecret }: Environment,
  { url, auth }: ProvisioningSettings,
): boolean {
  if (clientAuthSecret == null || clientAuth !== auth) return false;
  return url === null || (provisioningUrl != null && new URL(provisioningUrl).origin === new URL(url).origin);
}

/** Another URL or authentication is another endpoint. A secret counts as a new one: only its ciphertext is stored. */
function isOtherEndpoint(
  { provisioningUrl, clientAuth, clientAuthSecret }: Environment,
  settings: ProvisioningSettings,
): boolean {
  const { url, auth, secret } = settings;
  if ((provisioningUrl ?? null) !== url || clientAuth !== auth) return true;
  return !keepsSecret(settings) && (Boolean(secret) || clientAuthSecret != null);
}

/** Deletes the state of the former endpoint's circuit. Its late responses do not count for the new one. */
async function resetEndpoint(em: EntityManager, environment: Environment): Promise<void> {
  await sql(em, 'delete from endpoint where environment_uuid = $1', [environment.uuid]);
  environment.endpointVersion += 1;
}
