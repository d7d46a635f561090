import type { Connection, Field } from '@docfetch/sdk';
import { isCredential } from '../field-values';

type ReasonCode = NonNullable<Connection['reason']>['code'];

/** What the user has to do in step 1 to repair a connection. */
export interface Repair {
  /** Ids of the fields to show; the others are folded. */
  readonly fields: readonly string[];
  /** Ids of the secrets that have to be entered again; the others keep their stored value while they are empty. */
  readonly refused: readonly string[];
  /** The user may have to accept a fingerprint, which the service returns when the unchanged input is saved. */
  readonly asksForTrust: boolean;
}

/** The service names the same fields when a server cannot be reached. */
const isServer = ({ id, type }: Field) => type === 'url' || id === 'host' || id === 'port';
const isEncryption = (field: Field) => field.id === 'security' || isServer(field);

/** The fields that a reason is about; the reasons that are missing here are about none. */
const CONCERNED_FIELDS: Partial<Record<ReasonCode, (field: Field) => boolean>> = {
  LOGIN_REJECTED: isCredential,
  SCOPE_MISSING: isCredential,
  HOST_NOT_FOUND: isServer,
  WRONG_PROTOCOL: isServer,
  ENDPOINT_NOT_FOUND: (field) => isServer(field) || field.id === 'bucket',
  TLS_REQUIRED: isEncryption,
  TLS_NOT_SUPPORTED: isEncryption,
};
const TRUST_REASONS: readonly ReasonCode[] = ['HOST_KEY_UNKNOWN', 'HOST_KEY_CHANGED', 'CERTIFICATE_INVALID'];

/**
 * How the user repairs a connection in step 1, whatever its status: an active connection may be broken too. Null if nothing is
 * broken, or if the repair is elsewhere (step 2, resume) or not up to the user.
 */
export function repairOf({ status, reason }: Connection, fields: readonly Field[]): Repair | null {
  if (status === 'DISABLED' || reason === null) return null;
  if (reason.action === 'AUTHORIZE') return { fields: [], refused: [], asksForTrust: false };
  if (reason.action !== 'UPDATE_CREDENTIALS') return null;
  if (TRUST_REASONS.includes(reason.code)) return { fields: [], refused: [], asksForTrust: true };
  const isConcerned = CONCERNED_FIELDS[reason.code];
  const concerned = isConcerned ? fields.filter(isConcerned) : [];
  // An integration may have none of these fields: then the user sees all of them.
  const ids = (concerned.length > 0 ? concerned : fields).map(({ id }) => id);
  // A missing permission can also be granted at the provider, so that the stored key may stay.
  const refused = reason.code === 'LOGIN_REJECTED' ? fields.filter(isCredential).map(({ id }) => id) : [];
  return { fields: ids, refused, asksForTrust: false };
}
