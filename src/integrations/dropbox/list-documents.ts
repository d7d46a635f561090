import type { Json, SourcePage } from '../core/source-document';
import { SelectionNotFound, Transient } from '../core/source-errors';
import { filterKnown } from '../shared/tree-sync/selection/dedupe-filter';
import { isBelow } from '../shared/tree-sync/files/tree';
import { DropboxApi, type DropboxFile, type Entry } from './dropbox-api';
import { DropboxSelection } from './dropbox-selection';
import { type DropboxSession, ROOT } from './fields';
import { folderOf } from './folders';

/** The cursor of a listing. */
export type DropboxCursor = {
  /** The digest of the selection that it belongs to. */
  readonly selection: string;
  /** The namespace of the paths. */
  readonly root: string;
  /** The cursor of each selected folder, by id, with its path at that time: a moved folder is listed again. */
  readonly folders: { readonly [id: string]: { readonly path: string; readonly cursor: string } };
};

/** A selected folder. */
interface DropboxRoot {
  readonly id: string;
  /** The path without a leading `/`; empty for the root. */
  readonly path: string;
}

/** The maximum number of times that Dropbox may reset the cursor of a folder in one listing. */
const MAX_RESETS = 3;

/**
 * Lists the contents of the selected folders, then their changes. Dropbox uses one cursor for both, so that an interrupted listing
 * resumes. When Dropbox resets a cursor (409 `reset`), the folder is listed again without the known files.
 * Throws `SelectionNotFound` when a selected folder does not exist, after all others are processed.
 */
export async function* listDocuments(
  session: DropboxSession,
  stored: Json,
  startdate: string | null,
): AsyncGenerator<SourcePage<DropboxCursor>> {
  session.signal.throwIfAborted();
  const api = await DropboxApi.open(session);
  const selection = new DropboxSelection(session, startdate);
  const { places, isGone } = await chosenPlaces(api, selection.folders);
  const before = stored as DropboxCursor | null;
  const isResumed = before?.selection === selection.digest && before.root === api.root;
  const listed: Record<string, { path: string; cursor: string }> = {};
  for (const { id, path } of places) {
    const last = isResumed ? before.folders[id] : undefined;
    if (last?.path === path) listed[id] = last;
  }
  const at = (): DropboxCursor => ({ selection: selection.digest, root: api.root, folders: { ...listed } });

  for (const place of places) {
    let resets = 0;
    for (let hasMore = true; hasMore;) {
      session.signal.throwIfAborted();
      const last = listed[place.id];
      const page = last ? await api.nextPage(last.cursor) : await api.list(place.id === ROOT ? '' : place.id, true);
      if (page === null) {
        if (++resets > MAX_RESETS) throw new Transient('Dropbox resets the cursor repeatedly.');
        delete listed[place.id];
        continue;
      }
      const judge = (file: DropboxFile) => selection.judge(file, pathBelow(place, file));
      const filteredBy = yield* filterKnown(session, [filesOf(page.entries)], judge, at());
      listed[place.id] = { path: place.path, cursor: page.cursor };
      // After a reset the excluded files were counted before.
      yield { documents: [], cursor: at(), ...(resets === 0 && { filteredBy }) };
      hasMore = page.has_more;
    }
  }
  if (isGone) throw new SelectionNotFound('A selected folder no longer exists.');
}

/** The selected folders, without nested ones. */
async function chosenPlaces(
  api: DropboxApi,
  ids: readonly string[],
): Promise<{ places: DropboxRoot[]; isGone: boolean }> {
  const found: DropboxRoot[] = [];
  let isGone = false;
  for (const id of ids) {
    const folder = await folderOf(api, id);
    if (folder) found.push({ id, path: folder.path });
    else isGone = true;
  }
  const isWithin = ({ path }: DropboxRoot, other: DropboxRoot): boolean =>
    path !== other.path && isBelow(path.toLowerCase(), other.path.toLowerCase());
  return { places: found.filter((place) => !found.some((other) => isWithin(place, other))), isGone };
}

/** The files of a page after applying its entries in order, including deletions. */
function filesOf(entries: readonly Entry[]): DropboxFile[] {
  const files = new Map<string, DropboxFile>();
  for (const entry of entries) {
    const path = entry.path_lower;
    if (entry['.tag'] === 'file') files.set(path ?? entry.id, entry);
    else if (entry['.tag'] === 'deleted' && path) {
      for (const each of files.keys()) if (isBelow(each, path)) files.delete(each);
    }
  }
  return [...files.values()];
}

/** The path below the selected folder. The case of a path may vary, its depth does not. */
function pathBelow({ path }: DropboxRoot, { path_display, name }: DropboxFile): string {
  const depth = path === '' ? 0 : path.split('/').length;
  return path_display
    ? path_display
        .split('/')
        .slice(depth + 1)
        .join('/')
    : name;
}
