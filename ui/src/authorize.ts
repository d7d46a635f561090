/**
 * The way to a provider and back (contract 5, `GET /oauth/callback`). The whole page goes there: the service keeps the
 * state of the flow, and brings the user back to this page with a token.
 */
export function authorizeAt(url: string): void {
  // What an answer says is an address of a provider; a script it must never be.
  if (!/^https?:\/\//i.test(url)) throw new TypeError('This is no address to sign in at.');
  location.assign(url);
}
