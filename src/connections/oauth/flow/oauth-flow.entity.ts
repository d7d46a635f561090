import { defineEntity, p } from '@mikro-orm/core';
import { EncryptedType } from '../../../platform/crypto/encrypted';

const schema = defineEntity({
  name: 'OAuthFlow',
  tableName: 'oauth_flow',
  properties: {
    uuid: p.uuid().primary(),
    connectionUuid: p.uuid(),
    /** Who asked for it, for the audit log. */
    actor: p.text(),
    /** The API key by which it began, or that issued the UI token: the flow ends when it is revoked. */
    keyUuid: p.uuid().nullable(),
    /** `session_generation` of the identity at the beginning: the flow ends with the sessions. */
    sessionGeneration: p.integer().nullable(),
    /** SHA-256 of the cookie of the hosted UI that asked for it; null when the request brought no cookie. */
    pageDigest: p.blob().nullable(),
    /** What the user is asked to agree to. */
    scopes: p.json<readonly string[]>(),
    /** SHA-256 of what `authorization_url` holds. */
    linkDigest: p.blob(),
    /** SHA-256 of the cookie of the browser that went to the provider. */
    browserDigest: p.blob().nullable(),
    /** When the user confirmed to go to the provider, where the confirmation page was shown. */
    confirmedAt: p.datetime(3).nullable(),
    /** SHA-256 of the `state` under way; a new one replaces it. */
    stateDigest: p.blob().nullable(),
    /** `FlowSecrets`, sealed with the connection's data key. */
    secrets: p.type(EncryptedType),
    /** SHA-256 of the code by which the hosted UI gets its session back, once. */
    resumeDigest: p.blob().nullable(),
    /** How it ended: `AUTHORIZED`, or why it did not succeed. */
    outcome: p.text().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    /** When the provider sent the browser back: it does so once. */
    answeredAt: p.datetime(3).nullable(),
  },
});

/** A user on the way to a provider and back. */
export class OAuthFlow extends schema.class {}
schema.setClass(OAuthFlow);

export interface FlowSecrets {
  /** PKCE (RFC 7636); made anew for every `state`. */
  readonly codeVerifier: string | null;
  /** What the UI token carried with which it began, in the language it was read in; null when a client's backend began it. */
  readonly session: object | null;
  /** The user went there in a window of its own, which does not get the session. */
  readonly isApart?: boolean;
}

/** What a flow's secrets are sealed for. */
export const OAUTH_FLOW = 'oauth-flow.secrets';
