import type { Json, SourcePage } from '../core/source-document';
import { SelectionNotFound, Transient } from '../core/source-errors';
import { filterKnown } from '../shared/tree-sync/selection/dedupe-filter';
import { isBelow } from '../shared/tree-sync/files/tree';
import { DropboxApi, type DropboxFile, type Entry } from './dropbox-api';
import { DropboxSelection } from './dropbox-selection';
import { type DropboxSession, ROOT } from './fields';
import { folderOf } from './folders';

/** Where the next listing goes on. */
export type DropboxCursor = {
  /** For which choice it holds. */
  readonly choice: string;
  /** In which namespace the paths begin. */
  readonly root: string;
  /** How far each chosen folder has been listed, and where it was then: a moved folder is listed anew. By its id. */
  readonly folders: { readonly [id: string]: { readonly path: string; readonly cursor: string } };
};

/** A chosen folder. */
interface DropboxRoot {
  readonly id: string;
  /** Without a leading `/`; empty for the root. */
  readonly path: string;
}

/** A cursor that Dropbox takes back so often in one listing is not going to hold. */
const MAX_RESETS = 3;

/**
 * All that is in the chosen folders, then what changes there: Dropbox gives one cursor for both, so a listing that is cut off
 * goes on where it was. When Dropbox takes a cursor back (409 `reset`), that folder is listed anew, and what is known is left out.
 * Throws `SelectionNotFound` when a chosen folder is not there, after all others are done.
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
  const goesOn = before?.choice === selection.digest && before.root === api.root;
  const listed: Record<string, { path: string; cursor: string }> = {};
  for (const { id, path } of places) {
    const last = goesOn ? before.folders[id] : undefined;
    if (last?.path === path) listed[id] = last;
  }
  const at = (): DropboxCursor => ({ choice: selection.digest, root: api.root, folders: { ...listed } });

  for (const place of places) {
    let resets = 0;
    for (let hasMore = true; hasMore;) {
      session.signal.throwIfAborted();
      const last = listed[place.id];
      const page = last ? await api.nextPage(last.cursor) : await api.list(place.id === ROOT ? '' : place.id, true);
      if (page === null) {
        if (++resets > MAX_RESETS) throw new Transient('Dropbox takes back every place in its list of changes.');
        delete listed[place.id];
        continue;
      }
      const judge = (file: DropboxFile) => selection.judge(file, pathBelow(place, file));
      const filtered = yield* filterKnown(session, [filesOf(page.entries)], judge, at());
      listed[place.id] = { path: place.path, cursor: page.cursor };
      // Those that the user does not want were counted when they were listed first.
      yield { documents: [], cursor: at(), ...(resets === 0 && { filtered }) };
      hasMore = page.has_more;
    }
  }
  if (isGone) throw new SelectionNotFound('A chosen folder is no longer there.');
}

/** None lies within another one. */
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

/** The files of a page as they are at its end: what it says later undoes what it said before. */
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

/** The way from the chosen folder. The case of a path may differ from place to place, its depth does not. */
function pathBelow({ path }: DropboxRoot, { path_display, name }: DropboxFile): string {
  const depth = path === '' ? 0 : path.split('/').length;
  return path_display
    ? path_display
        .split('/')
        .slice(depth + 1)
        .join('/')
    : name;
}
