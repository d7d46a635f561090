import { certificateInvalid } from '../integrations/shared/trust/certificate-check';
import { HostKeyNotTrusted } from '../integrations/source-errors';
import type { Fault } from '../platform/http/errors';

/** How a certificate or host key that is not trusted is answered, with what the user may accept; null for other errors. */
export function untrustedServer(error: unknown): Pick<Fault, 'code' | 'sentence' | 'fingerprint'> | null {
  if (error instanceof HostKeyNotTrusted) return { code: error.reason, fingerprint: error.fingerprint };
  const certificate = certificateInvalid(error);
  if (!certificate) return null;
  const { code, problem, fingerprint } = certificate;
  return {
    code,
    ...(problem && { sentence: `${code}_${problem}` }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}
