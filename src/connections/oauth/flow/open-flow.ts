import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { digestOf, matchesDigest } from '../../../platform/crypto/signed-token';
import { OAuthFlow } from './oauth-flow.entity';
import { isRevoked } from './revoked-flow';
import { type Browser, cookieName, type Outcome, pageCookieOf } from '../way-back';

/** A flow whose link is good in the browser that has opened it. */
export interface OpenFlow {
  readonly flow: OAuthFlow;
  /** The flow's cookie, when the browser has it already. */
  readonly own: string | undefined;
}

/** Finds the flow of an `authorization_url` and locks it; else says why the browser cannot use it (decisions 3). */
export async function openFlow(
  em: EntityManager,
  link: unknown,
  browser: Browser,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: Date },
): Promise<OpenFlow | Outcome> {
  if (typeof link !== 'string' || link === '') return 'AUTHORIZATION_INVALID';
  const flow = await em.findOne(OAuthFlow, { linkDigest: digestOf(link) }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!flow) return 'AUTHORIZATION_INVALID';
  const own = browser.cookie(cookieName(publicUrl, flow.uuid));
  if (flow.browserDigest && !(own && matchesDigest(own, flow.browserDigest))) return 'AUTHORIZATION_INVALID';
  const page = pageCookieOf(browser, publicUrl);
  if (flow.pageDigest && !(page && matchesDigest(page, flow.pageDigest))) return 'AUTHORIZATION_INVALID';
  if (flow.answeredAt) return 'AUTHORIZATION_USED';
  if (flow.expiresAt <= now || (await isRevoked(em, flow))) return 'AUTHORIZATION_EXPIRED';
  return { flow, own };
}
