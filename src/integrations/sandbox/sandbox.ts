import { defineIntegration, type Session } from '../core/integration';
import { InvalidCredentials } from '../core/source-errors';
import type { FieldValues } from '../core/field';
import { STEP1 } from '../shared/sandbox/fields';
import { refuseAtOnce, respond, type PortalLogin } from '../shared/sandbox/login';
import { portalMethods } from '../shared/sandbox/portal-methods';
import { CHANGED_PASSWORD, SCENARIOS, WRONG_PASSWORD } from '../shared/sandbox/scenarios';

/** Logs in with user name and password. @throws InvalidCredentials for the password `wrong` */
async function logIn(session: Session<FieldValues<typeof STEP1>>): Promise<PortalLogin> {
  await respond(session);
  const { user, password } = session.fields;
  if (password === WRONG_PASSWORD) throw new InvalidCredentials('The sandbox refuses the password.');
  const visit = { session, user, isRenewed: password === CHANGED_PASSWORD };
  refuseAtOnce(visit);
  return visit;
}

/**
 * A simulated portal with failures on command, so that clients can test all of their code paths (decisions 8). It needs no network;
 * its failures are those of `source-errors.ts`, thrown where those of real portals occur.
 */
export const sandbox = defineIntegration({
  id: 'sandbox',
  name: { en: 'Sandbox portal', de: 'Sandbox-Portal' },
  category: 'PORTAL',
  maturity: 'STABLE',
  authType: 'CREDENTIALS',
  documentTypes: ['invoice', 'credit_note'],
  providesExternalId: true,
  testOnly: true,
  scenarios: SCENARIOS,
  step1: STEP1,
  worksWithoutStep2: true,
  rateLimits: { concurrency: 4, requestsPerSecond: 1_000, requestsPerSecondPerHost: 1_000 },
  ...portalMethods(logIn),
});
