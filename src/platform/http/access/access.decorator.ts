import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { InvalidField } from '../../errors/errors';

/** What a route accepts: a UI token (`X-TOKEN`), an API key (`X-API-KEY`), either, or nobody in particular. */
export type Credential = 'token' | 'key' | 'none';

/** Who is calling, once the credentials have been found good. */
export interface Caller {
  readonly environmentUuid: string;
  /** Environments of kind `TEST` have the sandbox. */
  readonly isTest: boolean;
  /** Set when a UI token was sent: the only identity that the caller may touch (spec 5 rule 2). */
  readonly identityUuid: string | null;
  /** What the token was opened for (decisions 3); a token may be narrower than its identity. */
  readonly onlyConnectionUuid: string | null;
  readonly onlyIntegrationId: string | null;
  /** For the audit log: `key:<uuid>` or `token:<identity uuid>`. */
  readonly actor: string;
  /** Tells this very credential from others of the same caller: the key's uuid, or the token's id. */
  readonly credential: string;
  /** The API key: that was sent, or that issued the UI token. */
  readonly keyUuid: string;
  /** Of a UI token: the generation of its identity's sessions to which it belongs. */
  readonly sessionGeneration?: number;
  /** SHA-256 of the cookie of the hosted UI's browser, when a request with a UI token brought it. */
  readonly pageDigest?: Buffer | null;
  /** What the UI token carries, for `auth` to give it out anew; nobody else reads it. */
  readonly claims?: object;
}

export interface CallerRequest extends Request {
  caller?: Caller;
  /** Every credential that was sent and found good, by which the general rate limits count (decisions 3). */
  credentials?: { readonly key?: string; readonly token?: string };
  /** What the thing in the path belongs to: what is kept of the request goes when that is deleted. */
  belongsTo?: readonly string[];
  /** What a guard has found wrong in the body; told together with all that validation finds (decisions 2). */
  faultsInBody?: InvalidField[];
}

export const ACCESS = 'access';

/** Declares who may call a route. The application refuses to start while a route has no such declaration. */
export const Access = (...accepted: Credential[]) =>
  applyDecorators(
    SetMetadata(ACCESS, accepted),
    ...(accepted.includes('token') ? [ApiSecurity('X-TOKEN')] : []),
    ...(accepted.includes('key') ? [ApiSecurity('X-API-KEY')] : []),
  );

/** The caller of a route that asks for credentials. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<CallerRequest>();
  if (!caller) throw new Error('A route that is open to everyone has no caller.');
  return caller;
});
