/** Why a server that the user named cannot be reached (decisions 2). */
export type UnreachableCode =
  | 'HOST_NOT_FOUND'
  | 'CONNECTION_REFUSED'
  | 'TIMED_OUT'
  | 'CERTIFICATE_INVALID'
  | 'TLS_REQUIRED'
  | 'TLS_NOT_SUPPORTED'
  | 'WRONG_PROTOCOL';

/** The reasons of the API (decisions 4). */
export type ReasonCode =
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
  | 'PROVIDER_DOWN'
  | 'RATE_LIMITED'
  | 'PROVIDER_CHANGED';

/**
 * More exact reasons, each with the reason of the API that it belongs to: only the text for the user differs
 * (`i18n/…/exact-reasons.json`), because another person or another step helps.
 */
export const EXACT_REASONS = {
  /** A key without a permission is reported like an authorization without a scope. */
  PERMISSION_MISSING: 'SCOPE_MISSING',
  CERTIFICATE_INVALID_EXPIRED: 'CERTIFICATE_INVALID',
  CERTIFICATE_INVALID_NOT_YET_VALID: 'CERTIFICATE_INVALID',
  CERTIFICATE_INVALID_WRONG_NAME: 'CERTIFICATE_INVALID',
  CERTIFICATE_INVALID_SELF_SIGNED: 'CERTIFICATE_INVALID',
  CERTIFICATE_INVALID_UNKNOWN_AUTHORITY: 'CERTIFICATE_INVALID',
  /** The server sends its own certificate only, and its issuer is not among the known authorities. */
  CERTIFICATE_INVALID_INCOMPLETE: 'CERTIFICATE_INVALID',
  /** It was not issued for a server, or the one above it not for an authority. */
  CERTIFICATE_INVALID_WRONG_PURPOSE: 'CERTIFICATE_INVALID',
  /** A key or a signature that can be forged: its fingerprint is not offered to the user. */
  CERTIFICATE_INVALID_WEAK: 'CERTIFICATE_INVALID',
  /** It is not the one that the user has accepted. */
  CERTIFICATE_INVALID_CHANGED: 'CERTIFICATE_INVALID',
  /** The server offers only versions of TLS, or ciphers, that are no longer secure. */
  TLS_NOT_SUPPORTED_OUTDATED: 'TLS_NOT_SUPPORTED',
  TLS_NOT_SUPPORTED_STARTTLS: 'TLS_NOT_SUPPORTED',
  LOGIN_REJECTED_APP_PASSWORD: 'LOGIN_REJECTED',
  /** The provider has switched off this kind of access for the mailbox. */
  LOGIN_REJECTED_ACCESS_DISABLED: 'LOGIN_REJECTED',
  /** The server accepts no password at all. */
  LOGIN_REJECTED_NO_PASSWORDS: 'LOGIN_REJECTED',
  /** The user has authorized the service, and may not read this mailbox. */
  LOGIN_REJECTED_NO_ACCESS: 'LOGIN_REJECTED',
  RATE_LIMITED_CONNECTIONS: 'RATE_LIMITED',
} as const satisfies Readonly<Record<string, ReasonCode>>;

export type ExactReason = keyof typeof EXACT_REASONS;

/** Why a fetch or a check has failed; the text for users is derived from it in their language. */
export type Reason = ReasonCode | ExactReason;

export const isExact = (reason: Reason): reason is ExactReason => reason in EXACT_REASONS;

/** The reason as the API reports it. */
export const reasonCode = (reason: Reason): ReasonCode => (isExact(reason) ? EXACT_REASONS[reason] : reason);
