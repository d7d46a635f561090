const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why a `return_url` cannot be used, or null (contract 3): absolute https, http only for this machine, its origin on the
 * environment's list.
 */
export function returnUrlFault(returnUrl: string, allowedOrigins: readonly string[]): string | null {
  const url = URL.canParse(returnUrl) ? new URL(returnUrl) : null;
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOCAL.includes(url.hostname));
  if (!url || !secure || url.username || url.password) return 'INVALID_RETURN_URL';
  return allowedOrigins.includes(url.origin) ? null : 'ORIGIN_NOT_ALLOWED';
}
