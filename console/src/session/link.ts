/** The one-time link in the address. It is removed from there at once: it must not stay in the history. */
export function takeLink(): string | null {
  const link = /^#link=([^&]+)$/.exec(location.hash)?.[1];
  if (!link) return null;
  history.replaceState(null, '', `${location.pathname}#/`);
  try {
    return decodeURIComponent(link);
  } catch {
    return link; // not a link of the service, which says so
  }
}

/** Calls `listener` with a link that is opened in the tab of the console: the browser then only changes the fragment. */
export function onLinkOpened(listener: (link: string) => void): () => void {
  const onPopState = () => {
    const link = takeLink();
    if (link) listener(link);
  };
  // Before the views, which would take it for the address of one.
  addEventListener('popstate', onPopState, { capture: true });
  return () => removeEventListener('popstate', onPopState, { capture: true });
}
