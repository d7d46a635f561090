/** Why a server that the user named cannot be reached (decisions 2). */
export type UnreachableCode =
  | 'HOST_NOT_FOUND'
  | 'CONNECTION_REFUSED'
  | 'TIMED_OUT'
  | 'CERTIFICATE_INVALID'
  | 'TLS_REQUIRED'
  | 'TLS_NOT_SUPPORTED'
  | 'WRONG_PROTOCOL';

/**
 * How a source fails, classified by what the service does next (architecture: "a connector is one folder").
 * `message` is for operators and logs and must hold no secret; what the user reads is made from `reason` in the
 * user's language.
 */
export type Reason =
  | UnreachableCode
  | 'LOGIN_REJECTED'
  | 'AUTHORIZATION_PENDING'
  | 'CONSENT_REVOKED'
  | 'CONSENT_EXPIRED'
  | 'SCOPE_MISSING'
  | 'FOLDER_NOT_FOUND'
  | 'ENDPOINT_NOT_FOUND'
  | 'SETUP_INCOMPLETE'
  | 'HOST_KEY_UNKNOWN'
  | 'HOST_KEY_CHANGED'
  | 'PERMISSION_MISSING'
  | 'PROVIDER_DOWN'
  | 'RATE_LIMITED'
  | 'PROVIDER_CHANGED';

/** As clients know them (decisions 4): a key without a right is told like an authorisation without one. */
export type ReasonCode = Exclude<Reason, 'PERMISSION_MISSING'>;

export const reasonCode = (reason: Reason): ReasonCode => (reason === 'PERMISSION_MISSING' ? 'SCOPE_MISSING' : reason);

export abstract class SourceError extends Error {
  abstract readonly reason: Reason;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The provider refuses the credentials, definitively (IMAP AUTHENTICATIONFAILED, FTP 530, 401 after a fresh token). */
export class InvalidCredentials extends SourceError {
  readonly reason = 'LOGIN_REJECTED';
  /** The step-1 field that is wrong or missing, where that is certain; else it may be any of the secret ones. */
  readonly field: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly field?: string } = {}) {
    super(message, options);
    this.field = options.field;
  }
}

/** The OAuth grant is gone: the token endpoint answered `invalid_grant`. */
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

/** What the user chose is no longer there: a folder, a bucket, an organisation. The user has to choose again. */
export class SelectionNotFound extends SourceError {
  readonly reason: 'FOLDER_NOT_FOUND' | 'ENDPOINT_NOT_FOUND' = 'FOLDER_NOT_FOUND';
}

/** What the first step names is not there: no server of this kind at the address, no bucket of that name. */
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

/** The credentials are good, but may not read what is wanted: a key without the right, a plan without the API. */
export class PermissionMissing extends SourceError {
  readonly reason = 'PERMISSION_MISSING';
}

/** The server shows a host key that the user has not accepted: one for the first time, or another one than the accepted key. */
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
 * The provider asks for a pause. The cursor is kept and the fetch goes on after `retryAfterSeconds`. With the scope `provider`
 * it has asked all of us (the quota of our OAuth client is used up): no connection calls it for so long.
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

/** The source is away for now: time-outs, 5xx, DNS, TLS and connection failures. Backs off; never costs the connection. */
export class Transient extends SourceError {
  readonly reason = 'PROVIDER_DOWN';
}

/** The source no longer knows the cursor (Graph 410, Gmail 404): list again from the start date; de-duplication absorbs the repeats. */
export class CursorInvalid extends SourceError {
  readonly reason = 'PROVIDER_CHANGED';
}

/** One document cannot be read. It is recorded as failed and the fetch goes on; `permanent` ones are not tried again. */
export class DocumentUnavailable extends SourceError {
  readonly reason = 'PROVIDER_CHANGED';

  constructor(
    message: string,
    readonly permanent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The source has the document and never gives it out: it is too large to be exported, locked, or taken for malware. */
export class DocumentRefused extends DocumentUnavailable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, true, options);
  }
}

/** The source answers in a way its description rules out: an alert for the operators, never a silent loss. */
export class UnexpectedResponse extends SourceError {
  readonly reason = 'PROVIDER_CHANGED';
}

/** The provider refuses us, not the user: our OAuth client, its secret or its rights. For the operators alone to mend. */
export class ClientRefused extends UnexpectedResponse {}
