import type { FieldSpec } from '../../core/field';
import type { Integration } from '../../core/integration';
import { type FieldInput, type ValidatedInput, validateFields } from '../../core/validate-fields';

/** SHA-256 fingerprints as browsers (32 hexadecimal bytes with colons) and OpenSSH display them. */
const FORMATS = {
  CERTIFICATE: '[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}',
  HOST_KEY: 'SHA256:[A-Za-z0-9+/]{43}=?',
} as const;

/** The fingerprint that the user accepts (decisions 2). Not part of any form: it is sent after an error with a `fingerprint`. */
const TRUSTED_FINGERPRINT = {
  id: 'trusted_fingerprint',
  type: 'text',
  label: { en: 'Fingerprint', de: 'Fingerabdruck' },
  required: false,
  max: 128,
} as const satisfies FieldSpec;

export interface Step1Input extends ValidatedInput {
  /** The normalized fingerprint that the user accepts. Not stored as a field of the connection. */
  readonly accepted?: string;
}

/** Validates input of the first step, including `trusted_fingerprint` for a typed server. */
export function validateStep1({ step1, typedServer }: Integration, input: FieldInput): Step1Input {
  if (!typedServer) return validateFields(step1, input);
  const field: FieldSpec = { ...TRUSTED_FINGERPRINT, pattern: FORMATS[typedServer.proof] };
  const { values, invalidFields } = validateFields([...step1, field], input);
  const { [TRUSTED_FINGERPRINT.id]: accepted, ...rest } = values as { trusted_fingerprint?: string };
  return { values: rest, invalidFields, ...(accepted !== undefined && { accepted: normalizeFingerprint(accepted) }) };
}

function normalizeFingerprint(fingerprint: string): string {
  return fingerprint.startsWith('SHA256:') ? fingerprint.replace(/=$/, '') : fingerprint.toUpperCase();
}
