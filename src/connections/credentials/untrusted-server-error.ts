import { certificateInvalid, type CertificateProblem } from '../../integrations/shared/trust/certificate-check';
import { HostKeyNotTrusted } from '../../integrations/core/source-errors';
import type { InvalidField } from '../../platform/errors/errors';

/** i18n keys of the sentences that explain a certificate problem. */
const SENTENCE_KEYS: Readonly<Record<CertificateProblem, string>> = {
  EXPIRED: 'CERTIFICATE_INVALID_EXPIRED',
  NOT_YET_VALID: 'CERTIFICATE_INVALID_NOT_YET_VALID',
  WRONG_NAME: 'CERTIFICATE_INVALID_WRONG_NAME',
  SELF_SIGNED: 'CERTIFICATE_INVALID_SELF_SIGNED',
  UNKNOWN_AUTHORITY: 'CERTIFICATE_INVALID_UNKNOWN_AUTHORITY',
  CHANGED: 'CERTIFICATE_INVALID_CHANGED',
};

/** The field error for an untrusted certificate or host key, with the fingerprint that the user may accept; null for other errors. */
export function untrustedServerError(error: unknown): Pick<InvalidField, 'code' | 'sentence' | 'fingerprint'> | null {
  if (error instanceof HostKeyNotTrusted) return { code: error.reason, fingerprint: error.fingerprint };
  const certificate = certificateInvalid(error);
  if (!certificate) return null;
  const { code, problem, fingerprint } = certificate;
  return {
    code,
    ...(problem && { sentence: SENTENCE_KEYS[problem] }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}
