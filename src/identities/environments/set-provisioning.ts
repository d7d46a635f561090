import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { sql } from '../../platform/database/sql';
import { isClientUrl, isClosedUrl } from '../../platform/network/client-url';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { CLIENT_AUTH_SECRET, type ClientAuth, Environment, type Strategy } from './environment.entity';

/** RFC 9110 section 5.5: a field value consists of visible characters, spaces, tabs, and bytes above US-ASCII. */
const INVALID_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/;

export interface ProvisioningSettings {
  readonly strategy: Strategy;
  readonly url: string | null;
  readonly auth: ClientAuth;
  readonly secret: string | null;
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

  /** @throws Error with a message for the support team when the settings contradict each other or the URL is not allowed */
  async set(actor: string, environmentUuid: string, given: ProvisioningSettings): Promise<Environment> {
    const problem = findProblem(given);
    if (problem) throw new Error(problem);
    if (given.url !== null && (await isClosedUrl(this.network, given.url))) {
      throw new Error('--url has an address that requests are not allowed to reach (NETWORK_ALLOW).');
    }
    return this.em.fork().transactional(async (em) => {
      // Late responses of the former endpoint wait for this lock, and find another version.
      await sql(em, 'select from environment where uuid = $1 for no key update', [environmentUuid]);
      const environment = await em.findOne(Environment, environmentUuid);
      if (!environment) throw new Error(`There is no environment ${environmentUuid}.`);
      const key = await this.keyManager.key(em, environmentUuid);
      if (isOtherEndpoint(environment, given)) await resetEndpoint(em, environment);
      environment.strategy = given.strategy;
      environment.provisioningUrl = given.url;
      environment.clientAuth = given.auth;
      environment.clientAuthSecret = given.secret
        ? this.keyManager.encrypt(key, CLIENT_AUTH_SECRET, given.secret)
        : null;
      environment.pushLimitBytes = given.pushLimitBytes ?? environment.pushLimitBytes;
      environment.updatedAt = this.clock.now();
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
}

/** Another URL or authentication is another endpoint. A secret counts as a new one: only its ciphertext is stored. */
function isOtherEndpoint(
  { provisioningUrl, clientAuth, clientAuthSecret }: Environment,
  { url, auth, secret }: ProvisioningSettings,
): boolean {
  const hasSecret = secret !== null || clientAuthSecret != null;
  return (provisioningUrl ?? null) !== url || clientAuth !== auth || hasSecret;
}

/** Deletes the state of the former endpoint's circuit. Its late responses do not count for the new one. */
async function resetEndpoint(em: EntityManager, environment: Environment): Promise<void> {
  await sql(em, 'delete from endpoint where environment_uuid = $1', [environment.uuid]);
  environment.endpointVersion += 1;
}

function findProblem({ strategy, url, auth, secret }: ProvisioningSettings): string | null {
  if (strategy === 'PUSH' && !url) return 'The push strategy needs --url.';
  if (url !== null) {
    if (URL.canParse(url) && new URL(url).username) return '--url must not hold credentials; use --auth.';
    // decisions 6: the same rule as for webhook URLs.
    if (!isClientUrl(url))
      return '--url must be an absolute https address without a fragment; plain http is for loopback and private addresses only.';
  }
  if (auth !== 'NONE' && !secret)
    return `--auth ${auth.toLowerCase()} needs the secret on standard input (--secret-stdin).`;
  if (auth === 'NONE' && secret) return 'A secret was given, but --auth is "none".';
  if (secret && /[\r\n\0]/.test(secret)) return 'The secret must be one line.';
  if (secret && (auth === 'BEARER' || auth === 'HEADER') && INVALID_IN_HEADER.test(secret))
    return 'The secret contains a character that is not allowed in an HTTP header; use --auth query instead.';
  return null;
}
