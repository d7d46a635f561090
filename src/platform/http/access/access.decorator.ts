import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { InvalidField } from '../../errors/errors';

/** The credentials that a route accepts: a UI token (`X-TOKEN`), an API key (`X-API-KEY`), or none. */
export type Credential = 'token' | 'key' | 'none';

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
  /** For the audit log: `key:<uuid>` or `token:<identity uuid>`. */
  readonly actor: string;
  /** Identifies the credential: the key's uuid, or the token's id. */
  readonly credential: string;
  /** The API key that was sent, or that issued the UI token. */
  readonly keyUuid: string;
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
  credentials?: { readonly key?: string; readonly token?: string };
  /** The resource in the path, after the check of `@Owned`. */
  resource?: object;
  /** Owners of the resource in the path: stored responses of the request are deleted with them. */
  belongsTo?: readonly string[];
  /** Errors that a guard found in the body; they are reported together with the validation errors (decisions 2). */
  invalidBodyFields?: InvalidField[];
}

export const ACCESS = 'access';

/**
 * Declares the credentials that a route accepts. The application does not start while a route lacks this declaration.
 */
export const Access = (...accepted: Credential[]) =>
  applyDecorators(
    SetMetadata(ACCESS, accepted),
    ...(accepted.includes('token') ? [ApiSecurity('X-TOKEN')] : []),
    ...(accepted.includes('key') ? [ApiSecurity('X-API-KEY')] : []),
  );

/** The caller of a route that requires credentials. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<CallerRequest>();
  if (!caller) throw new Error('A route that is open to everyone has no caller.');
  return caller;
});
