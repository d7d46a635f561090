import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKey } from '../../auth/keys/api-key.entity';
import { AuthenticateKey } from '../../auth/keys/authenticate-key';
import { CreateConsoleLink } from '../../auth/console-sign-in/create-console-link';
import { CreateClient } from '../../auth/keys/create-client';
import { IssueUiToken } from '../../auth/ui-token/issue-ui-token';
import { CreateIdentity } from '../../identities/create-identity';
import { Environment } from '../../identities/environments/environment.entity';
import { FindEnvironments } from '../../identities/environments/find-environments';
import { SetProvisioning } from '../../identities/environments/set-provisioning';
import { Identity } from '../../identities/identity.entity';
import { Settings } from '../../platform/config/settings';

const ACTOR = 'npm start';
const CLIENT = 'Development';
const CUSTOMER = { client_identifier: 'customer-1', display_name: 'Muster GmbH' };
/** The service is often started long before the link is opened. */
const LINK_SECONDS = 24 * 3600;
/** Where `docs/examples/push-receiver.mjs` listens by default. */
const RECEIVER_URL = 'http://127.0.0.1:4000/';

/** What a developer needs to try the service. */
export interface DevelopmentAccess {
  readonly environmentUuid: string;
  /** The link opens the hosted UI for 30 minutes. */
  readonly uiUrl: string;
  /** Only when the environment has just been created: neither secret is shown again. */
  readonly created: { readonly apiKey: string; readonly signingSecret: string } | null;
}

/**
 * Prepares an embedded development database for `npm start`: one without any environment gets a TEST environment with a
 * customer and with `docs/examples/push-receiver.mjs` as its endpoint.
 * @param baseUrl the service's own address, to which the hosted UI returns
 * @returns null when there are environments, but not (or no longer) this one with a valid key
 */
export async function openDevelopmentEnvironment(
  app: INestApplicationContext,
  baseUrl: string,
): Promise<DevelopmentAccess | null> {
  const em = app.get(EntityManager).fork();
  const created = (await em.count(Environment)) === 0 ? await create(app, baseUrl) : null;
  const environment = await em.findOne(Environment, { clientName: CLIENT }, { orderBy: { createdAt: 'asc' } });
  if (!environment) return null;
  const environmentUuid = environment.uuid;
  const key = await em.findOne(ApiKey, { environmentUuid, revokedAt: null }, { orderBy: { createdAt: 'asc' } });
  const { client_identifier: clientIdentifier } = CUSTOMER;
  const identity = await em.findOne(Identity, { environmentUuid, clientIdentifier });
  if (!key || !identity) return null;
  const issueUiToken = app.get(IssueUiToken, { strict: false });
  const { ui_url: uiUrl } = await issueUiToken.issue(
    { keyUuid: key.uuid, actor: ACTOR, session: null },
    { identity_uuid: identity.uuid, return_url: `${baseUrl}/docs` },
  );
  return { environmentUuid, uiUrl, created };
}

/**
 * A link to the console with the role that shows most, for the oldest environment of an embedded development database; null without an
 * environment, and without a console.
 */
export async function createDevelopmentLink(app: INestApplicationContext): Promise<string | null> {
  if (!app.get(Settings, { strict: false }).consoleEnabled) return null;
  const [environment] = await app.get(FindEnvironments, { strict: false }).find();
  if (!environment) return null;
  const { url } = await app
    .get(CreateConsoleLink, { strict: false })
    .create(ACTOR, { environmentUuid: environment.uuid, role: 'SUPPORT', seconds: LINK_SECONDS });
  return url;
}

async function create(app: INestApplicationContext, baseUrl: string): Promise<DevelopmentAccess['created']> {
  const get = <T>(type: abstract new (...args: never[]) => T) => app.get(type, { strict: false });
  const { environment, apiKey, signingSecret } = await get(CreateClient).create(ACTOR, {
    clientName: CLIENT,
    name: CLIENT,
    kind: 'TEST',
    returnOrigins: [new URL(baseUrl).origin],
  });
  await get(SetProvisioning).set(ACTOR, environment.uuid, {
    strategy: 'PUSH',
    url: RECEIVER_URL,
    auth: 'NONE',
    secret: null,
  });
  await get(CreateIdentity).create(await get(AuthenticateKey).authenticate(apiKey, undefined), CUSTOMER);
  return { apiKey, signingSecret };
}
