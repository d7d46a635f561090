import { isAddressNotAllowed } from '../../platform/network/network';

const NAME_NOT_FOUND = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'];
const TIMED_OUT = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'];

/** Returns why no response was received, as a stable code for the delivery log. */
export function networkErrorCode(error: unknown): string {
  if (isAddressNotAllowed(error)) return 'ADDRESS_NOT_ALLOWED';
  const { name, code = '' } = (error ?? {}) as { name?: string; code?: string };
  if (name === 'TimeoutError' || TIMED_OUT.includes(code)) return 'TIMEOUT';
  if (NAME_NOT_FOUND.includes(code)) return 'NAME_NOT_FOUND';
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/.test(code)) return 'TLS_FAILED';
  return 'CONNECTION_FAILED';
}
