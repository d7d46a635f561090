import { go } from '../route';

/** Whether this page is shown within another one, which its environment has allowed. */
export const embedded = window.parent !== window;

/** The address at which a connection is authorised, for the view that leads there. */
let pending: { readonly uuid: string; readonly url: string } | null = null;

/**
 * The way to a provider (decisions 5, `GET /oauth/start`). The whole page goes there: the service keeps the state of the flow,
 * and brings the user back to this page. Providers refuse to be shown in a frame; there the way leads through a window of its own.
 */
export function startAuthorization(url: string, uuid: string): void {
  // What an answer says is an address of the service; a script it must never be.
  if (!/^https?:\/\//i.test(url)) throw new TypeError('This is no address to sign in at.');
  if (!embedded) return location.assign(url);
  pending = { uuid, url: `${url}&apart=true` };
  go({ view: 'authorize', uuid }, 'replace');
}

/** Where to authorise this connection, in a window of its own; null when that has not been asked for. */
export function popupUrl(uuid: string): string | null {
  return pending?.uuid === uuid ? pending.url : null;
}
