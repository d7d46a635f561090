import { navigate } from '../route';
import { CONNECT_MODE } from '../session/connect-mode';

/**
 * True if this page must stay while the user is at the provider: in an iframe, because providers do not allow to be embedded, and in
 * a popup of another page, because many providers separate it from that page (Cross-Origin-Opener-Policy).
 */
const staysOpen = window.parent !== window || CONNECT_MODE === 'popup';

/** The URL of the authorization for {@link popupUrl}. */
let pending: { readonly uuid: string; readonly url: string } | null = null;

/**
 * Starts the authorization at the provider (decisions 5, `GET /oauth/start`). The whole page navigates there: the service keeps
 * the OAuth state and redirects the user back. A page that must stay open shows a link to a separate window instead.
 * @throws TypeError when `url` is not an http(s) URL
 */
export function startAuthorization(url: string, uuid: string): void {
  // The URL comes from a response of the service; it must never be executed as a script (javascript:).
  if (!/^https?:\/\//i.test(url)) throw new TypeError('The authorization URL is not an http(s) URL.');
  if (!staysOpen) return location.assign(url);
  pending = { uuid, url: `${url}&apart=true` };
  navigate({ view: 'authorize', uuid }, 'replace');
}

/** The URL that authorizes this connection in a separate window; null if no authorization was started. */
export function popupUrl(uuid: string): string | null {
  return pending?.uuid === uuid ? pending.url : null;
}
