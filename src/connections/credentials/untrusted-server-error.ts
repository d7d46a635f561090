import { certificateInvalid } from '../../integrations/shared/trust/certificate-check';
import { HostKeyNotTrusted } from '../../integrations/core/source-errors';
import type { InvalidField } from '../../platform/errors/errors';

/** The field error for an untrusted certificate or host key, with the fingerprint that the user may accept; null for other errors. */
export function untrustedServerError(error: unknown): Pick<InvalidField, 'code' | 'sentence' | 'fingerprint'> | null {
  if (error instanceof HostKeyNotTrusted) return { code: error.reason, fingerprint: error.fingerprint };
  const certificate = certificateInvalid(error);
  if (!certificate) return null;
  const { code, exactReason, fingerprint } = certificate;
  return { code, sentence: exactReason, ...(fingerprint !== undefined && { fingerprint }) };
}
