import { useSyncExternalStore } from 'react';

/**
 * The current view, its filters and the environment. They are in the fragment of the URL, so that reloads, bookmarks and the
 * browser's back button keep them; the service never sees it: `#/<environment>/connections/<uuid>?status=ACTIVE`.
 */
export interface Address {
  /** Set for the support team, whose views can show any environment. */
  readonly environment: string | null;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function parseAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').filter(Boolean).map(decode);
  const environment = parts[0] && UUID.test(parts[0]) ? parts.shift()! : null;
  return { environment, path: parts, query: new URLSearchParams(query) };
}

/** A mistyped address leads to the page “not found”, not to an exception. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export type Query = Readonly<Record<string, string | null | undefined>>;

/** The address of a view in the same environment; `path` is `connections/<uuid>`. Empty filters are left out. */
export function hrefOf(path: string, query: Query = {}, environment = parseAddress(location.hash).environment): string {
  const parts = [environment, ...path.split('/')].filter(Boolean).map((part) => encodeURIComponent(part!));
  const set = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(set).toString();
  return `#/${parts.join('/')}${search ? `?${search}` : ''}`;
}

/** How the current view was reached. After `back`, lists continue where they were left. */
let reached: 'link' | 'back' = 'link';
export const wasReachedBack = (): boolean => reached === 'back';

/** Marks entries of the history that were shown: others are addresses that somebody has entered in the tab of the console. */
const VISITED = 'visited';

export function navigate(href: string, mode: 'push' | 'replace' = 'push'): void {
  if (href === location.hash) return;
  reached = 'link';
  if (mode === 'push') history.pushState(VISITED, '', href);
  else history.replaceState(VISITED, '', href);
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();
const onPopState = ({ state }: PopStateEvent) => {
  reached = state === VISITED ? 'back' : 'link';
  markVisited();
  for (const listener of listeners) listener();
};

const markVisited = () => history.replaceState(VISITED, '');

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    markVisited();
    addEventListener('popstate', onPopState);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('popstate', onPopState);
  };
}

export function useAddress(): Address {
  return parseAddress(useSyncExternalStore(subscribe, () => location.hash));
}
