import { setTimeout as delay } from 'node:timers/promises';
import {
  AuthorizationRevoked,
  ConfigurationGone,
  ContractBroken,
  InvalidCredentials,
  RateLimited,
  type SourceError,
  Temporary,
} from '../source-errors';
import type { SandboxSession } from './fields';
import { CHANGED_PASSWORD, type Scenario, WRONG_PASSWORD } from './scenarios';

/** Seconds that the portal wants to be left alone for. */
export const PAUSE_SECONDS = 30;

/** Scenarios in which the portal refuses everything. */
const REFUSALS: Readonly<Partial<Record<Scenario, () => SourceError>>> = {
  password_changed: () => new InvalidCredentials('The sandbox password was changed.'),
  expired_grant: () => new AuthorizationRevoked('The sandbox consent has expired.', 'CONSENT_EXPIRED'),
  revoked_grant: () => new AuthorizationRevoked('The sandbox consent was revoked.', 'CONSENT_REVOKED'),
  missing_permission: () => new AuthorizationRevoked('The sandbox consent does not cover documents.', 'SCOPE_MISSING'),
  provider_down: () => new Temporary('The sandbox answers 503.'),
  provider_changed: () => new ContractBroken('The sandbox answers HTML instead of a list.'),
};

/** Those that begin at the login only when the whole portal is to fail from the setup on. */
const SETUP_REFUSALS: typeof REFUSALS = {
  ...REFUSALS,
  rate_limited: () => new RateLimited('The sandbox answers 429.', PAUSE_SECONDS),
  interrupted: () => new Temporary('The sandbox closed the connection.'),
};

/**
 * Logs in at the portal, as every call does first.
 * @throws InvalidCredentials for the password `wrong`; what the scenario says when it fails from the setup on; the signal's reason.
 */
export async function logIn(session: SandboxSession): Promise<void> {
  await respond(session);
  if (session.fields.password === WRONG_PASSWORD) throw new InvalidCredentials('The sandbox refuses the password.');
  if (session.fields.fails_from === 'setup') refuse(session, SETUP_REFUSALS);
}

/** Throws what the scenario says about whole fetches. */
export function refuseFetch(session: SandboxSession): void {
  refuse(session, REFUSALS);
  if (session.fields.scenario === 'folder_gone')
    throw new ConfigurationGone('The sandbox has no such folder any more.');
}

/** The time that the portal takes for an answer; ends with the signal's reason when the session is aborted. */
export async function respond(session: SandboxSession): Promise<void> {
  session.signal.throwIfAborted();
  const { scenario, delay_ms = 0 } = session.fields;
  if (scenario !== 'slow') return;
  try {
    await delay(delay_ms, undefined, { signal: session.signal });
  } catch (error) {
    session.signal.throwIfAborted();
    throw error;
  }
}

function refuse({ fields }: SandboxSession, refusals: typeof REFUSALS): void {
  if (fields.scenario === 'password_changed' && fields.password === CHANGED_PASSWORD) return;
  const refusal = refusals[fields.scenario as Scenario];
  if (refusal) throw refusal();
}
