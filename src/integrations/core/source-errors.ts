import type { ExactReason, Reason } from './reason';

/**
 * The failures of a source, classified by the next step of the service (architecture: "a connector is one folder"). `message` is
 * for operators and logs and must not contain secrets; the text for users is derived from `reason` in their language.
 */
export abstract class SourceError extends Error {
  abstract readonly reason: Reason;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

type LoginRejection = 'LOGIN_REJECTED' | Extract<ExactReason, `LOGIN_REJECTED_${string}`>;

/** The provider definitely rejects the credentials (IMAP AUTHENTICATIONFAILED, FTP 530, 401 after a fresh token). */
export class InvalidCredentials extends SourceError {
  readonly reason: LoginRejection;
  /** The step-1 field that is wrong or missing, where that is certain; otherwise it may be any secret field. */
  readonly field: string | undefined;

  constructor(
    message: string,
    options: ErrorOptions & { readonly field?: string; readonly reason?: LoginRejection | undefined } = {},
  ) {
    super(message, options);
    this.field = options.field;
    this.reason = options.reason ?? 'LOGIN_REJECTED';
  }
}

/** The OAuth grant is no longer valid: the token endpoint answered `invalid_grant`. */
export class AuthorizationRevoked extends SourceError {
  constructor(
    message: string,
    readonly reason:
      'CONSENT_REVOKED' | 'CONSENT_EXPIRED' | 'SCOPE_MISSING' | 'AUTHORIZATION_PENDING' = 'CONSENT_REVOKED',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The provider refuses an access token that it has just issued: the account may not do what the service asks for. */
export class NewTokenRefused extends AuthorizationRevoked {}

/** Something that the user has selected no longer exists: a folder, a bucket, an organization. The user has to select again. */
export class SelectionNotFound extends SourceError {
  readonly reason: 'FOLDER_NOT_FOUND' | 'ENDPOINT_NOT_FOUND' = 'FOLDER_NOT_FOUND';
}

/** The endpoint that the first step names does not exist: no server of this kind at the address, no bucket of that name. */
export class EndpointNotFound extends SelectionNotFound {
  override readonly reason = 'ENDPOINT_NOT_FOUND';

  constructor(
    message: string,
    /** The id of the step-1 field that names it. */
    readonly field: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The credentials are valid, but lack a permission: a key without the right, a plan without the API. */
export class PermissionMissing extends SourceError {
  readonly reason = 'PERMISSION_MISSING';
}

/** The server presents a host key that the user has not accepted: for the first time, or another one than the accepted key. */
export class HostKeyNotTrusted extends SourceError {
  constructor(
    message: string,
    readonly reason: 'HOST_KEY_UNKNOWN' | 'HOST_KEY_CHANGED',
    /** `SHA256:` and base64, as OpenSSH prints it. */
    readonly fingerprint: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The provider requests a pause. The cursor is kept and the fetch continues after `retryAfterSeconds`. With the scope `provider`
 * the request concerns all connections (the quota of our OAuth client is used up): none calls the provider during this time.
 */
export class RateLimited extends SourceError {
  readonly reason = 'RATE_LIMITED';
  readonly scope: 'connection' | 'provider';

  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    options: ErrorOptions & { readonly scope?: 'connection' | 'provider' } = {},
  ) {
    super(message, options);
    this.scope = options.scope ?? 'connection';
  }
}

/** The source is temporarily unavailable: timeouts, 5xx, DNS, TLS and connection failures. The fetch backs off; the connection stays active. */
export class Transient extends SourceError {
  readonly reason: 'PROVIDER_DOWN' | 'RATE_LIMITED_CONNECTIONS' = 'PROVIDER_DOWN';
}

/** The server accepts no further connection to the account; other programs of the user may hold the others. */
export class TooManyConnections extends Transient {
  override readonly reason = 'RATE_LIMITED_CONNECTIONS';
}

/** The source no longer knows the cursor (Graph 410, Gmail 404): list again from the start date; deduplication absorbs the repeats. */
export class CursorInvalid extends SourceError {
  readonly reason = 'PROVIDER_CHANGED';
}

/** What is wrong with a document that exists. `CHANGED`: since it was listed; `TOO_LARGE`: for this service. */
export type DocumentProblem = 'EMPTY' | 'DAMAGED' | 'CHANGED' | 'TOO_LARGE';

/**
 * One document cannot be downloaded. It is recorded as failed and the fetch continues; `permanent` failures are not retried. Without
 * a `problem`, a permanent failure means that the document no longer exists.
 */
export class DocumentUnavailable extends SourceError {
  readonly reason = 'PROVIDER_CHANGED';
  readonly problem: DocumentProblem | undefined;

  constructor(
    message: string,
    readonly permanent: boolean,
    options: ErrorOptions & { readonly problem?: DocumentProblem } = {},
  ) {
    super(message, options);
    this.problem = options.problem;
  }
}

/** The source has the document and will never deliver it: it is too large to be exported, locked, or classified as malware. */
export class DocumentRefused extends DocumentUnavailable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, true, options);
  }
}

/** The source answers contrary to its documentation: reported to operators, never a silent loss. */
export class UnexpectedResponse extends SourceError {
  readonly reason = 'PROVIDER_CHANGED';
}

/** The provider rejects the service, not the user: its OAuth client, the client's secret or permissions. Only operators can fix it. */
export class ClientRefused extends UnexpectedResponse {}
