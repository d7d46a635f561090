import { SelectionNotFound } from '../core/source-errors';
import type { BoxApi, BoxFile, Items } from './box-api';

/** Pages that are requested concurrently: a tree has many small folders, and each costs a round trip. */
const CONCURRENT_PAGES = 4;

export interface BoxEntry {
  readonly file: BoxFile;
  /** The path below the selected folder. */
  readonly path: string;
}

/** A page that is still to be requested. */
interface PendingPage {
  readonly folder: string;
  readonly path: string;
  readonly marker?: string;
}

/**
 * Yields all files in and below these folders. Each folder is listed once, even when they are nested. A folder that was deleted in
 * the meantime is ignored, a selected one is added to `gone`.
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
    // The last one first (depth-first), which keeps the list of pending pages short.
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
