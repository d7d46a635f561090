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

/** The pause that the portal requests, in seconds. */
export const PAUSE_SECONDS = 30;

export type SandboxSession = Session<BehaviorFields>;

/** A logged-in session with the portal. */
export interface PortalLogin {
  readonly session: SandboxSession;
  /** The user whose documents are listed. */
  readonly user: string;
  /** Whether the credentials were renewed after the start of the scenario and are therefore valid in it. */
  readonly isRenewed: boolean;
}

type ScenarioErrors = Readonly<Partial<Record<Scenario, () => SourceError>>>;

/** Scenarios in which the portal rejects formerly valid credentials. */
const CREDENTIAL_ERRORS: ScenarioErrors = {
  password_changed: () => new InvalidCredentials('The sandbox rejects the login.'),
  expired_grant: () => new AuthorizationRevoked('The sandbox consent has expired.', 'CONSENT_EXPIRED'),
  revoked_grant: () => new AuthorizationRevoked('The sandbox consent was revoked.', 'CONSENT_REVOKED'),
  missing_permission: () => new AuthorizationRevoked('The sandbox consent does not cover documents.', 'SCOPE_MISSING'),
};

/** Scenarios in which the portal rejects all users. */
const OUTAGES: ScenarioErrors = {
  provider_down: () => new Transient('The sandbox answers 503.'),
  provider_changed: () => new UnexpectedResponse('The sandbox answers HTML instead of a list.'),
};

/** Scenarios that affect the login only when the portal fails from the setup on. */
const OUTAGES_AT_ONCE: ScenarioErrors = {
  ...OUTAGES,
  rate_limited: () => new RateLimited('The sandbox answers 429.', PAUSE_SECONDS),
  interrupted: () => new Transient('The sandbox closed the connection.'),
};

/** Throws the scenario's error when the portal fails from the setup on. */
export function refuseAtOnce(visit: PortalLogin): void {
  if (visit.session.fields.fails_from === 'setup') refuse(visit, OUTAGES_AT_ONCE);
}

/** Throws the scenario's error for whole fetches. @throws SelectionNotFound when a selected folder has been renamed */
export function refuseFetch(visit: PortalLogin, folders: readonly string[]): void {
  refuse(visit, OUTAGES);
  const isGone = visit.session.fields.scenario === 'folder_gone';
  if (isGone && folders.some((folder) => isWithin(folder, [GONE_FOLDER]))) {
    throw new SelectionNotFound('The sandbox no longer has the folder.');
  }
}

/** Waits for the portal's response time; rejects with the signal's reason when the session is aborted. */
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

function refuse({ session, isRenewed }: PortalLogin, outages: ScenarioErrors): void {
  const scenario = session.fields.scenario as Scenario;
  const createError = outages[scenario] ?? (isRenewed ? undefined : CREDENTIAL_ERRORS[scenario]);
  if (createError) throw createError();
}
