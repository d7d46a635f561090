/**
 * The current view. It is in the fragment of the URL, so that the browser's back and forward buttons work; the service never
 * sees it.
 */
export type Route =
  | { readonly view: 'home' }
  | { readonly view: 'choose' }
  | { readonly view: 'connect'; readonly integration: string }
  | { readonly view: 'mailbox'; readonly integration: string | null }
  | { readonly view: 'connection' | 'access' | 'authorize' | 'content' | 'done' | 'recovery'; readonly uuid: string };

const CONNECTION_VIEWS = ['access', 'authorize', 'content', 'done', 'recovery'] as const;

export function parseRoute(hash: string): Route {
  const [first = '', second, third] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  if (first === 'connect') return second ? { view: 'connect', integration: second } : { view: 'choose' };
  if (first === 'mailbox') return { view: first, integration: second ?? null };
  if (first === 'sources' && second) {
    const view = CONNECTION_VIEWS.find((name) => name === third) ?? 'connection';
    return { view, uuid: second };
  }
  return { view: 'home' };
}

export function hrefOf(route: Route): string {
  switch (route.view) {
    case 'home':
      return '#/';
    case 'choose':
      return '#/connect';
    case 'connect':
      return `#/connect/${encodeURIComponent(route.integration)}`;
    case 'mailbox':
      return route.integration ? `#/mailbox/${encodeURIComponent(route.integration)}` : '#/mailbox';
    case 'connection':
      return `#/sources/${encodeURIComponent(route.uuid)}`;
    default:
      return `#/sources/${encodeURIComponent(route.uuid)}/${route.view}`;
  }
}

export function navigate(route: Route, mode: 'push' | 'replace' = 'push'): void {
  const href = hrefOf(route);
  if (href === location.hash) return;
  if (mode === 'push') history.pushState(null, '', href);
  else history.replaceState(null, '', href);
  dispatchEvent(new PopStateEvent('popstate'));
}
