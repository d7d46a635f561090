import { SelectionNotFound } from '../core/source-errors';
import type { BoxApi, BoxFile, Items } from './box-api';

/** So many pages are asked for at once: a tree is many small folders, and each costs a round trip. */
const AT_ONCE = 4;

export interface Found {
  readonly file: BoxFile;
  /** The way from the chosen folder. */
  readonly path: string;
}

/** A page that is still to be asked for. */
interface Wanted {
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
): AsyncGenerator<readonly Found[]> {
  const seen = new Set(chosen);
  const wanted: Wanted[] = chosen.map((folder) => ({ folder, path: '' }));
  const ask = async (page: Wanted): Promise<Items> => {
    try {
      return await api.items(page.folder, page.marker);
    } catch (error) {
      if (!(error instanceof SelectionNotFound)) throw error;
      if (chosen.includes(page.folder)) gone.add(page.folder);
      return { entries: [] };
    }
  };
  while (wanted.length > 0) {
    // The last first: what is begun is ended, and little waits.
    const pages = wanted.splice(-AT_ONCE).reverse();
    const answers = await Promise.all(pages.map(ask));
    for (const [n, { entries, next_marker: marker }] of answers.entries()) {
      const { folder, path } = pages[n]!;
      const found: Found[] = [];
      for (const entry of entries) {
        if (entry.type === 'web_link') continue;
        const own = path === '' ? entry.name : `${path}/${entry.name}`;
        if (entry.type === 'file') found.push({ file: entry, path: own });
        else if (entry.type === 'folder' && !seen.has(entry.id)) {
          seen.add(entry.id);
          wanted.push({ folder: entry.id, path: own });
        }
      }
      if (marker) wanted.push({ folder, path, marker });
      yield found;
    }
  }
}
