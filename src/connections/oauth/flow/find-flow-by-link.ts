import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { serveRequest } from '../../../platform/database/served-environment';
import { digestOf, matchesDigest } from '../../../platform/crypto/signed-token';
import { OAuthFlow } from './oauth-flow.entity';
import { isFlowRevoked } from './is-flow-revoked';
import { type RequestCookies, flowCookieName, readPageCookie } from '../oauth-cookies';
import type { AuthorizationOutcome } from '../oauth-redirect';

/** A flow whose link is valid in the browser that has opened it. */
export interface LinkedFlow {
  readonly flow: OAuthFlow;
  /** The flow's cookie, if the browser already has it. */
  readonly cookie: string | undefined;
}

/** Finds and locks the flow of an `authorization_url`. Returns the outcome if the browser cannot use it (decisions 3). */
export async function findFlowByLink(
  em: EntityManager,
  link: unknown,
  cookies: RequestCookies,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: Date },
): Promise<LinkedFlow | AuthorizationOutcome> {
  if (typeof link !== 'string' || link === '') return 'AUTHORIZATION_INVALID';
  const flow = await em.findOne(OAuthFlow, { linkDigest: digestOf(link) }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!flow) return 'AUTHORIZATION_INVALID';
  await serveRequest(em, flow.environmentUuid);
  const cookie = cookies.get(flowCookieName(publicUrl, flow.uuid));
  if (flow.browserDigest && !(cookie && matchesDigest(cookie, flow.browserDigest))) return 'AUTHORIZATION_INVALID';
  const page = readPageCookie(cookies, publicUrl);
  if (flow.pageDigest && !(page && matchesDigest(page, flow.pageDigest))) return 'AUTHORIZATION_INVALID';
  if (flow.callbackAt) return 'AUTHORIZATION_USED';
  if (flow.expiresAt <= now || (await isFlowRevoked(em, flow))) return 'AUTHORIZATION_EXPIRED';
  return { flow, cookie };
}
