import { SelectionNotFound } from '../core/source-errors';
import type { BoxApi, BoxFile, Items } from './box-api';

/** So many pages are asked for at once: a tree is many small folders, and each costs a round trip. */
const CONCURRENT_PAGES = 4;

export interface BoxEntry {
  readonly file: BoxFile;
  /** The way from the chosen folder. */
  readonly path: string;
}

/** A page that is still to be asked for. */
interface PendingPage {
  readonly folder: string;
  readonly path: string;
  readonly marker?: string;
}

/**
 * Every file in these folders and below them, each folder once, wherever they lie within each other. A folder below that vanishes
 * meanwhile is simply not there; a chosen one ends up in `gone`.
 */
export async function* filesBelow(
  api: BoxApi,
  chosen: readonly string[],
  gone: Set<string>,
): AsyncGenerator<readonly BoxEntry[]> {
  const seen = new Set(chosen);
  const pending: PendingPage[] = chosen.map((folder) => ({ folder, path: '' }));
  const ask = async (page: PendingPage): Promise<Items> => {
    try {
      return await api.items(page.folder, page.marker);
    } catch (error) {
      if (!(error instanceof SelectionNotFound)) throw error;
      if (chosen.includes(page.folder)) gone.add(page.folder);
      return { entries: [] };
    }
  };
  while (pending.length > 0) {
    // The last first: what is begun is ended, and little waits.
    const pages = pending.splice(-CONCURRENT_PAGES).reverse();
    const answers = await Promise.all(pages.map(ask));
    for (const [n, { entries, next_marker: marker }] of answers.entries()) {
      const { folder, path } = pages[n]!;
      const found: BoxEntry[] = [];
      for (const entry of entries) {
        if (entry.type === 'web_link') continue;
        const own = path === '' ? entry.name : `${path}/${entry.name}`;
        if (entry.type === 'file') found.push({ file: entry, path: own });
        else if (entry.type === 'folder' && !seen.has(entry.id)) {
          seen.add(entry.id);
          pending.push({ folder: entry.id, path: own });
        }
      }
      if (marker) pending.push({ folder, path, marker });
      yield found;
    }
  }
}
