import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from '../../core/integration';
import {
  AuthorizationRevoked,
  SelectionNotFound,
  UnexpectedResponse,
  InvalidCredentials,
  RateLimited,
  type SourceError,
  Transient,
} from '../../core/source-errors';
import { type BehaviorFields, DELAY_MS } from './fields';
import { GONE_FOLDER, isWithin } from './folders';
import type { Scenario } from './scenarios';

/** Seconds that the portal wants to be left alone for. */
export const PAUSE_SECONDS = 30;

export type SandboxSession = Session<BehaviorFields>;

/** A session with the portal, logged in. */
export interface PortalLogin {
  readonly session: SandboxSession;
  /** Whose documents are shown. */
  readonly user: string;
  /** The credentials are good whatever the scenario says about them: they were renewed after it began. */
  readonly isRenewed: boolean;
}

type Refusals = Readonly<Partial<Record<Scenario, () => SourceError>>>;

/** Scenarios in which the portal refuses credentials that were good before. */
const CREDENTIAL_REFUSALS: Refusals = {
  password_changed: () => new InvalidCredentials('The sandbox rejects the login.'),
  expired_grant: () => new AuthorizationRevoked('The sandbox consent has expired.', 'CONSENT_EXPIRED'),
  revoked_grant: () => new AuthorizationRevoked('The sandbox consent was revoked.', 'CONSENT_REVOKED'),
  missing_permission: () => new AuthorizationRevoked('The sandbox consent does not cover documents.', 'SCOPE_MISSING'),
};

/** Scenarios in which the portal refuses everybody. */
const OUTAGES: Refusals = {
  provider_down: () => new Transient('The sandbox answers 503.'),
  provider_changed: () => new UnexpectedResponse('The sandbox answers HTML instead of a list.'),
};

/** Those that begin at the login only when the whole portal is to fail at once. */
const OUTAGES_AT_ONCE: Refusals = {
  ...OUTAGES,
  rate_limited: () => new RateLimited('The sandbox answers 429.', PAUSE_SECONDS),
  interrupted: () => new Transient('The sandbox closed the connection.'),
};

/** Throws what the scenario says about every call when it began at once. */
export function refuseAtOnce(visit: PortalLogin): void {
  if (visit.session.fields.fails_from === 'setup') refuse(visit, OUTAGES_AT_ONCE);
}

/** Throws what the scenario says about whole fetches. @throws SelectionNotFound when a chosen folder has been renamed */
export function refuseFetch(visit: PortalLogin, folders: readonly string[]): void {
  refuse(visit, OUTAGES);
  const isGone = visit.session.fields.scenario === 'folder_gone';
  if (isGone && folders.some((folder) => isWithin(folder, [GONE_FOLDER]))) {
    throw new SelectionNotFound('The sandbox has no such folder any more.');
  }
}

/** The time that the portal takes for an answer; ends with the signal's reason when the session is aborted. */
export async function respond(session: SandboxSession): Promise<void> {
  session.signal.throwIfAborted();
  const { scenario, delay_ms = DELAY_MS } = session.fields;
  if (scenario !== 'slow') return;
  try {
    await delay(delay_ms, undefined, { signal: session.signal });
  } catch (error) {
    session.signal.throwIfAborted();
    throw error;
  }
}

function refuse({ session, isRenewed }: PortalLogin, outages: Refusals): void {
  const scenario = session.fields.scenario as Scenario;
  const refusal = outages[scenario] ?? (isRenewed ? undefined : CREDENTIAL_REFUSALS[scenario]);
  if (refusal) throw refusal();
}
