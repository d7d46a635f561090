import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { InvalidField } from '../../errors/errors';
import type { KeyScope } from './key-scope';

/**
 * The credentials that a route accepts: a UI token (`X-TOKEN`), an API key (`X-API-KEY`), a session of the console (`session`; `support`:
 * only one of the support team; `cookie`: without `X-CSRF-TOKEN`, for reading it), or none. A session also has access wherever a key has.
 */
export type Credential = 'token' | 'key' | 'session' | 'support' | 'cookie' | 'none';

/** Who uses the console: a developer of the client, in one environment, or the support team, in all. */
export type ConsoleRole = 'DEVELOPER' | 'SUPPORT';

/** The names of the security schemes of a session, which are sent together. */
export const SESSION_SCHEMES = { cookie: 'ConsoleSession', csrfToken: 'X-CSRF-TOKEN' } as const;

/** The authenticated caller of a request. */
export interface Caller {
  readonly environmentUuid: string;
  /** Environments of kind `TEST` have the sandbox. */
  readonly isTest: boolean;
  /** Set when a UI token was sent: the only identity that the caller may access (spec 5 rule 2). */
  readonly identityUuid: string | null;
  /** The connection or integration to which the token is restricted (decisions 3). */
  readonly onlyConnectionUuid: string | null;
  readonly onlyIntegrationId: string | null;
  /** For the audit log: `key:<uuid>`, `token:<identity uuid>` or `console:<session uuid>`. */
  readonly actor: string;
  /** Identifies the credential: the uuid of the key or session, or the token's id. */
  readonly credential: string;
  /**
   * The API key that was sent, that issued the UI token or that opened the session. For a session that was opened by a link: the newest
   * key of the environment, or null if none is valid.
   */
  readonly keyUuid: string | null;
  /** The scopes of the API key that was sent, or from which the UI token or session is derived; null for all. */
  readonly scopes: readonly KeyScope[] | null;
  /** Set when the caller is a session of the console. */
  readonly session: { readonly uuid: string; readonly role: ConsoleRole } | null;
  /** The session of the console, also for a UI token that it issued: what restricts a session restricts the token too (decisions 3). */
  readonly consoleSessionUuid?: string;
  /** For a UI token: the session generation of its identity. */
  readonly sessionGeneration?: number;
  /** SHA-256 of the hosted UI's browser cookie, if a request with a UI token contains it. */
  readonly pageDigest?: Buffer | null;
  /** The claims of the UI token; only `auth` reads them, to reissue the token. */
  readonly claims?: object;
}

export interface CallerRequest extends Request {
  caller?: Caller;
  /** All valid credentials of the request; the general rate limits count by them (decisions 3). */
  credentials?: { readonly key?: string; readonly token?: string; readonly session?: string };
  /** The resource in the path, after the check of `@Owned`. */
  resource?: object;
  /** Owners of the resource in the path: stored responses of the request are deleted with them. */
  belongsTo?: readonly string[];
  /** Errors that a guard found in the body; they are reported together with the validation errors (decisions 2). */
  invalidBodyFields?: InvalidField[];
}

export const ACCESS = 'access';

/** Marks operations that only the support team may use until their errors are described. */
export const SUPPORT_EXTENSION = 'x-support-only';

const WITH_CSRF_TOKEN = { [SESSION_SCHEMES.cookie]: [], [SESSION_SCHEMES.csrfToken]: [] };

/**
 * Declares the credentials that a route accepts. The application does not start while a route lacks this declaration.
 */
export const Access = (...accepted: Credential[]) =>
  applyDecorators(
    SetMetadata(ACCESS, accepted),
    ...(accepted.includes('token') ? [ApiSecurity('X-TOKEN')] : []),
    ...(accepted.includes('key') ? [ApiSecurity('X-API-KEY')] : []),
    ...(accepted.includes('session') || accepted.includes('support') ? [ApiSecurity(WITH_CSRF_TOKEN)] : []),
    ...(accepted.includes('support') ? [ApiExtension(SUPPORT_EXTENSION, true)] : []),
    ...(accepted.includes('cookie') ? [ApiSecurity(SESSION_SCHEMES.cookie)] : []),
  );

/** The caller of a route that requires credentials. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<CallerRequest>();
  if (!caller) throw new Error('A route that is open to everyone has no caller.');
  return caller;
});
