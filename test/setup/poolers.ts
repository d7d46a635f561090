import type { Pooler } from '../../src/platform/config/pooler';
import type { Settings } from '../../src/platform/config/settings';

/** Set by the setup of a run through PgBouncer: for each mode, the port of the PgBouncer in front of the run's server. */
export const POOLER_PORTS = 'DOCFETCH_TEST_POOLER_PORTS';

/** The mode in which the tests of this Jest project reach the database; null: directly (jest.pooler.config.js). */
export const pooler = (globalThis as { docfetchPooler?: Pooler }).docfetchPooler ?? null;

/** How the service of a test reaches a database. */
type Connection = Pick<Settings, 'databasePooler' | 'databaseDirectUrl'> & { readonly databaseUrl: string };

/** Ports of PgBouncers by the host and port of their servers, for servers that a test has started. */
const ports = new Map<string, number>();

/** From now on, the services of this test file reach the databases of a server through the PgBouncer on this port. */
export function addPooler(serverUrl: string, port: number): void {
  ports.set(new URL(serverUrl).host, port);
}

/**
 * How a service reaches the database that a test reaches directly: through PgBouncer in a run of `npm run test:pooler`, if one is in
 * front of its server. Session mode needs no direct URL.
 */
export function throughPooler(databaseUrl: string): Connection {
  const url = new URL(databaseUrl);
  const port = pooler && (ports.get(url.host) ?? portInFrontOf(url, pooler));
  if (!port) return { databaseUrl, databasePooler: null, databaseDirectUrl: null };
  url.port = String(port);
  return {
    databaseUrl: url.href,
    databasePooler: pooler,
    databaseDirectUrl: pooler === 'transaction' ? databaseUrl : null,
  };
}

/** The environment variables of a process whose `DATABASE_URL` a test reaches directly. */
export function environmentThroughPooler(env: Record<string, string>): Record<string, string> {
  if (!env.DATABASE_URL || env.DATABASE_POOLER || !URL.canParse(env.DATABASE_URL)) return env;
  const { databaseUrl, databasePooler, databaseDirectUrl } = throughPooler(env.DATABASE_URL);
  return {
    ...env,
    DATABASE_URL: databaseUrl,
    ...(databasePooler && { DATABASE_POOLER: databasePooler }),
    ...(databaseDirectUrl && { DATABASE_DIRECT_URL: databaseDirectUrl }),
  };
}

function portInFrontOf({ host }: URL, mode: Pooler): number | undefined {
  const { server, ...modes } = JSON.parse(process.env[POOLER_PORTS] ?? '{}') as Partial<Record<Pooler, number>> & {
    server?: string;
  };
  return server === host ? modes[mode] : undefined;
}
