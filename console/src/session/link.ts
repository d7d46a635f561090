/** The one-time link that has opened the page. It is removed from the address at once: it must not stay in the history. */
export function takeLink(): string | null {
  const link = /^#link=([^&]+)$/.exec(location.hash)?.[1];
  if (!link) return null;
  history.replaceState(null, '', `${location.pathname}#/`);
  return decodeURIComponent(link);
}
