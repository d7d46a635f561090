import type { FieldValues } from '../core/field';
import { defineIntegration, type Session } from '../core/integration';
import { BEHAVIOR } from '../shared/sandbox/fields';
import { isWithin } from '../shared/sandbox/folders';
import { refuseAtOnce, respond, type PortalLogin } from '../shared/sandbox/login';
import type { Consent } from '../core/sandbox-portal';
import { portalMethods } from '../shared/sandbox/portal-methods';
import { READ, READ_SHARED } from '../shared/sandbox/scopes';
import { SCENARIOS } from '../shared/sandbox/scenarios';
import { AuthorizationRevoked } from '../core/source-errors';

type OAuthSession = Session<FieldValues<typeof BEHAVIOR>>;

/** Identifies the user by the access token. An expired one is renewed once, as after a 401 of a provider. */
async function logIn(session: OAuthSession): Promise<PortalLogin> {
  await respond(session);
  const { account, scopes, isAffected } = await consentOf(session);
  const visit = { session, user: account, isRenewed: !isAffected };
  refuseAtOnce(visit);
  if (!scopes.includes(READ))
    throw new AuthorizationRevoked('The sandbox consent does not cover documents.', 'SCOPE_MISSING');
  return visit;
}

/** @throws AuthorizationRevoked when the portal rejects even a new token, or there is none */
async function consentOf(session: OAuthSession): Promise<Consent> {
  const token = await session.accessToken();
  const consent = await session.portal.consent(token);
  if (consent?.isActive) return consent;
  const renewed = await session.portal.consent(await session.accessToken(token));
  if (!renewed?.isActive) throw new AuthorizationRevoked('The sandbox refuses the access token.');
  return renewed;
}

/**
 * The sandbox with OAuth (decisions 8): the same portal, where users consent on a page of the service. Its authorization server is
 * part of the service (`authorization-server.ts`), so that it needs no client in the settings and no network access.
 */
export const sandboxOAuth = defineIntegration({
  id: 'sandbox_oauth',
  name: { en: 'Sandbox portal (OAuth)', de: 'Sandbox-Portal (OAuth)' },
  category: 'PORTAL',
  maturity: 'STABLE',
  authType: 'OAUTH2',
  documentTypes: ['invoice', 'credit_note'],
  providesExternalId: true,
  testOnly: true,
  scenarios: SCENARIOS,
  step1: BEHAVIOR,
  worksWithoutStep2: true,
  rateLimits: { concurrency: 4, requestsPerSecond: 1_000, requestsPerSecondPerHost: 1_000 },
  oauth: {
    isBuiltIn: true,
    issuer: 'https://sandbox.invalid',
    authorizeUrl: 'https://sandbox.invalid/sandbox/authorize',
    tokenUrl: 'https://sandbox.invalid/token',
    revokeUrl: 'https://sandbox.invalid/revoke',
    scopes: [READ],
    scopesFor({ folders }) {
      const chosen = Array.isArray(folders) ? (folders as string[]) : [];
      return chosen.some((folder) => isWithin(folder, ['shared'])) ? [READ_SHARED] : [];
    },
    clientAuth: 'none',
  },
  ...portalMethods(logIn),
});
