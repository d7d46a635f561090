import { addFiltered, type FilteredBy, NOTHING_FILTERED } from '../../../src/integrations/core/filter-reason';
import { SelectionNotFound } from '../../../src/integrations/core/source-errors';
import type { SourcePage } from '../../../src/integrations/core/source-document';
import type {
  Tree,
  TreeFile,
  TreeFolder,
  UnreadableEntry,
} from '../../../src/integrations/shared/tree-sync/files/tree';
import { syncTree, type TreeCursor } from '../../../src/integrations/shared/tree-sync/tree-sync';
import { fileSelection } from '../../../src/integrations/shared/tree-sync/selection/file-selection';

export const NOW = new Date('2026-11-20T12:00:00Z');
const OLD = new Date('2026-11-20T10:00:00Z');

/** The entries of folders. An error in place of the list, or in it, makes the listing fail there. */
export type FolderEntries = Record<string, (TreeFile | TreeFolder | UnreadableEntry | Error)[] | Error>;

export function file(path: string, given: Partial<TreeFile> = {}): TreeFile {
  return { kind: 'file', path, size: 10, modifiedAt: OLD, version: '1', ...given };
}
export const folder = (path: string, version?: string): TreeFolder => ({
  kind: 'folder',
  path,
  ...(version && { version }),
});

/** A tree in memory. `later` contains the entries that a second `stat` returns. */
export function fakeTree(entries: FolderEntries, later: Record<string, TreeFile | null> = {}) {
  const listed: string[] = [];
  const looked: string[] = [];
  const made: Tree = {
    async *list(path) {
      listed.push(path);
      const found = entries[path];
      if (!found) throw new SelectionNotFound(path);
      if (found instanceof Error) throw found;
      for (let at = 0; at < found.length; at += 100) {
        const portion = found.slice(at, at + 100);
        yield portion.filter((entry): entry is Exclude<typeof entry, Error> => !(entry instanceof Error));
        const fault = portion.find((entry) => entry instanceof Error);
        if (fault) throw fault;
      }
    },
    stat: async (given) => {
      looked.push(given.path);
      return given.path in later ? later[given.path]! : given;
    },
  };
  return { ...made, listed, looked };
}

interface TreeListing {
  paths: string[];
  pages: SourcePage<TreeCursor>[];
  cursor: TreeCursor;
  filteredBy: FilteredBy;
  keys: string[];
  asked: number[];
  error?: unknown;
}

export async function listTree(
  source: Tree,
  {
    step2 = {},
    cursor = null as TreeCursor | null,
    known = [] as string[],
    startdate = null as string | null,
    zone = 'UTC',
    signal = new AbortController().signal,
    now = NOW,
  } = {},
): Promise<TreeListing> {
  const asked: number[] = [];
  const session = {
    signal,
    now: () => now,
    findKnown: async (keys: readonly string[]) => {
      asked.push(keys.length);
      return new Set(keys.filter((key) => known.includes(key)));
    },
  };
  const pages: SourcePage<TreeCursor>[] = [];
  let error: unknown;
  try {
    const choice = fileSelection(step2, '.', startdate, zone);
    for await (const page of syncTree(source, choice, session, cursor, { pauseMs: 5 })) pages.push(page);
  } catch (caught) {
    error = caught;
  }
  const documents = pages.flatMap((page) => page.documents);
  return {
    paths: documents.map(({ metadata }) => metadata.source!.path!),
    keys: documents.map(({ dedupeKey }) => dedupeKey),
    pages,
    cursor: (pages.at(-1)?.cursor ?? cursor) as TreeCursor,
    filteredBy: addFiltered(...pages.map((page) => page.filteredBy ?? NOTHING_FILTERED)),
    asked,
    error,
  };
}
