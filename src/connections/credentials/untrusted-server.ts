import { certificateInvalid, type CertificateProblem } from '../../integrations/shared/trust/certificate-check';
import { HostKeyNotTrusted } from '../../integrations/core/source-errors';
import type { InvalidField } from '../../platform/errors/errors';

/** The sentences that say what is wrong with a certificate. */
const SENTENCES: Readonly<Record<CertificateProblem, string>> = {
  EXPIRED: 'CERTIFICATE_INVALID_EXPIRED',
  NOT_YET_VALID: 'CERTIFICATE_INVALID_NOT_YET_VALID',
  WRONG_NAME: 'CERTIFICATE_INVALID_WRONG_NAME',
  SELF_SIGNED: 'CERTIFICATE_INVALID_SELF_SIGNED',
  UNKNOWN_AUTHORITY: 'CERTIFICATE_INVALID_UNKNOWN_AUTHORITY',
  CHANGED: 'CERTIFICATE_INVALID_CHANGED',
};

/** How a certificate or host key that is not trusted is answered, with what the user may accept; null for other errors. */
export function untrustedServer(error: unknown): Pick<InvalidField, 'code' | 'sentence' | 'fingerprint'> | null {
  if (error instanceof HostKeyNotTrusted) return { code: error.reason, fingerprint: error.fingerprint };
  const certificate = certificateInvalid(error);
  if (!certificate) return null;
  const { code, problem, fingerprint } = certificate;
  return {
    code,
    ...(problem && { sentence: SENTENCES[problem] }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}
