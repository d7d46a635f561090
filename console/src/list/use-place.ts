import { useEffect, useLayoutEffect, useRef } from 'react';
import { wasReachedBack } from '../route';
import { keepPlace, keptPlaceOf, type ShownRows } from './live-list';

type Element = React.RefObject<HTMLDivElement | null>;

/** Restores the rows, the scroll position and the focus of a list when the user goes back to it. */
export function useKeptPlace(key: string, shown: ShownRows<unknown> | null, place: Element): void {
  const latest = useRef({ key, shown });
  latest.current = { key, shown };
  useEffect(() => {
    const kept = wasReachedBack() ? keptPlaceOf(key) : null;
    if (!kept) return;
    scrollTo(0, kept.scrollY);
    if (kept.focusedKey !== null)
      place.current
        ?.querySelector<HTMLElement>(`[data-key="${CSS.escape(kept.focusedKey)}"] a`)
        ?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    const element = place.current;
    return () => {
      const { key: left, shown: rows } = latest.current;
      const row = element?.contains(document.activeElement) ? document.activeElement?.closest('[data-key]') : null;
      if (rows?.key === left)
        keepPlace(left, {
          ...{ shown: rows, scrollY: window.scrollY },
          focusedKey: row?.getAttribute('data-key') ?? null,
        });
    };
  }, []);
}

/** Moves the focus to the list when the focused row or button disappears: else the keyboard would start again at the top. */
export function useFocusKeeper(place: Element): { readonly onFocusCapture: (event: React.FocusEvent) => void } {
  const focused = useRef<Node | null>(null);
  useEffect(() => {
    const { current: last } = focused;
    if (!last || last.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  });
  return {
    onFocusCapture: ({ target }) => {
      // Events of dialogs arrive here too: they are in the tree of components, but elsewhere in the page.
      if (place.current?.contains(target) && place.current !== target) focused.current = target;
    },
  };
}
