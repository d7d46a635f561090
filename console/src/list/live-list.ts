/** One page of a list, as the API answers it. */
export interface ListPage<T> {
  readonly data: readonly T[];
  readonly meta: {
    readonly next_cursor: string | null;
    /** Set by searches that do not consider all matches. */
    readonly truncated?: boolean;
  };
}

/** The rows on the screen and how to load further ones. */
export interface ShownRows<T> {
  /** The list that they belong to: its name and filters. */
  readonly key: string;
  readonly rows: readonly T[];
  /** The cursors of the pages that the rows came from; the first page has none. */
  readonly cursors: readonly (string | null)[];
  readonly next: string | null;
  readonly isTruncated: boolean;
  readonly loadedAt: Date;
}

/** Pages of a search may be empty although others follow. */
const MAX_EMPTY = 20;

/** The first page from a cursor on that has rows, or the last one. */
export async function loadRows<T>(
  load: (cursor: string | undefined) => Promise<ListPage<T>>,
  cursor: string | undefined,
): Promise<ListPage<T>> {
  let page = await load(cursor);
  for (let empty = 1; page.data.length === 0 && page.meta.next_cursor !== null && empty < MAX_EMPTY; empty++)
    page = await load(page.meta.next_cursor);
  return page;
}

interface KeptPlace {
  readonly shown: ShownRows<unknown>;
  readonly scrollY: number;
  readonly focusedKey: string | null;
}

const MAX_KEPT = 8;
const places = new Map<string, KeptPlace>();

/** Keeps what a list showed when the user left it, to restore it when they go back. */
export function keepPlace(key: string, place: KeptPlace): void {
  places.delete(key);
  places.set(key, place);
  if (places.size > MAX_KEPT) places.delete(places.keys().next().value!);
}

export const keptPlaceOf = (key: string): KeptPlace | null => places.get(key) ?? null;

/** For another session: nothing of the one before may be shown. */
export const forgetPlaces = (): void => places.clear();
