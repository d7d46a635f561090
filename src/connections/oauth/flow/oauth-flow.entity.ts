import { defineEntity, p } from '@mikro-orm/core';
import { EncryptedType } from '../../../platform/crypto/encrypted';

const schema = defineEntity({
  name: 'OAuthFlow',
  tableName: 'oauth_flow',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    connectionUuid: p.uuid(),
    /** Who started it, for the audit log. */
    actor: p.text(),
    /** The API key that started it or issued the UI token: revoking the key ends the flow. */
    keyUuid: p.uuid().nullable(),
    /** `session_generation` of the identity at the start: ending the sessions ends the flow. */
    sessionGeneration: p.integer().nullable(),
    /** SHA-256 of the cookie of the hosted UI that started it; null if the request had no cookie. */
    pageDigest: p.blob().nullable(),
    /** Requested scopes. */
    scopes: p.json<readonly string[]>(),
    /** SHA-256 of the link token in `authorization_url`. */
    linkDigest: p.blob(),
    /** SHA-256 of the cookie of the browser that was redirected to the provider. */
    browserDigest: p.blob().nullable(),
    /** When the user continued on the confirmation page, if it was shown. */
    confirmedAt: p.datetime(3).nullable(),
    /** SHA-256 of the current `state`; a new one replaces it. */
    stateDigest: p.blob().nullable(),
    /** SHA-256 of the single-use secret with which a popup of the hosted UI continues the flow, and its end. */
    popupDigest: p.blob().nullable(),
    popupExpiresAt: p.datetime(3).nullable(),
    /** `FlowSecrets`, encrypted with the connection's data key. */
    secrets: p.type(EncryptedType),
    /** SHA-256 of the single-use code with which the hosted UI resumes its session. */
    resumeDigest: p.blob().nullable(),
    /** `AUTHORIZED`, or why it did not succeed. */
    outcome: p.text().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    /** When the provider's redirect arrived; only the first one counts. */
    callbackAt: p.datetime(3).nullable(),
  },
});

/** One authorization at a provider, from the `authorization_url` to the callback. */
export class OAuthFlow extends schema.class {}
schema.setClass(OAuthFlow);

export interface FlowSecrets {
  /** PKCE (RFC 7636); generated for every `state`. */
  readonly codeVerifier: string | null;
  /** Claims of the UI token that started the flow, with the current language; null if a client's backend started it. */
  readonly session: object | null;
  /** The provider was opened in a popup, which does not resume the session. The name is part of the stored JSON. */
  readonly isApart?: boolean;
}

/** Encryption purpose of a flow's secrets. */
export const OAUTH_FLOW = 'oauth-flow.secrets';
