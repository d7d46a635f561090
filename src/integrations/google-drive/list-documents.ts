import { filterKnown, type Verdict } from '../shared/tree-sync/selection/dedupe-filter';
import { totalFiltered } from '../core/filter-reason';
import type { Json, SourcePage } from '../core/source-document';
import { SelectionNotFound } from '../core/source-errors';
import { type Change, DriveApi, FOLDER, SHORTCUT } from './drive-api';
import { GoogleDriveSelection, reference } from './drive-selection';
import { DriveTree, type GoogleDriveEntry, type GoogleDriveRoot } from './drive-tree';
import { type DriveSession, SHARED_WITH_ME } from './fields';
import { followShortcuts, linkedFiles, type Links, pathIn } from './shortcuts';

/** The cursor of a listing. */
export type DriveCursor = {
  /** The digest of the selection that it belongs to. */
  readonly selection: string;
  /** Whether the folders have been listed completely; until then the tokens only cover the changes in the meantime. */
  readonly complete: boolean;
  /** The change token of each drive, by its id; the key of the user's own drive is empty. */
  readonly tokens: { readonly [driveId: string]: string };
  /** The targets of shortcuts that have been listed. */
  readonly links: readonly string[];
};

const OWN = '';

/**
 * Lists the contents of the selected folders, then the changes. The change tokens are read before the folders are listed, so that
 * no change is missed. The contents of a folder that was moved in or restored, and of the target of a new shortcut, are no changes
 * and are listed as well.
 * Throws `SelectionNotFound` when a selected folder does not exist, after all others are processed.
 */
export async function* listDocuments(
  session: DriveSession,
  stored: Json,
  startdate: string | null,
): AsyncGenerator<SourcePage<DriveCursor>> {
  session.signal.throwIfAborted();
  const api = new DriveApi(session);
  const selection = new GoogleDriveSelection(session, startdate);
  const { places, gone } = await selectedRoots(api, selection);
  const tree = new DriveTree(api, places);
  const links = await followShortcuts(api, tree);
  const drives = [...new Set(tree.places.map(({ driveId }) => driveId))];
  const before = stored as DriveCursor | null;
  const isResumed =
    before?.selection === selection.digest && drives.every((drive) => before.tokens[drive ?? OWN] !== undefined);
  const tokens = isResumed ? { ...before.tokens } : await firstTokens(api, drives);
  let linked = isResumed ? (before.links ?? []) : [];
  const at = (complete: boolean): DriveCursor => ({
    selection: selection.digest,
    complete,
    tokens: { ...tokens },
    links: linked,
  });

  const isNew = (id: string): boolean => !linked.includes(id);
  const isComplete = isResumed && before.complete;
  const open = isComplete ? tree.places.filter(({ id }) => links.folders.has(id) && isNew(id)) : tree.places;
  const files = [...links.files].filter(([id]) => !isComplete || isNew(id));
  if (!isComplete || open.length > 0 || files.length > 0) {
    yield* newDocuments(session, selection, tree.below(open), at(isComplete), !isResumed);
    yield* newDocuments(session, selection, linkedFiles(api, tree, files), at(isComplete), !isResumed);
  }
  linked = [...links.folders, ...links.files.keys()];
  yield { documents: [], cursor: at(gone === undefined) };
  for (const drive of drives) {
    for (let isLast = false; !isLast;) {
      session.signal.throwIfAborted();
      const page = await api.changes(tokens[drive ?? OWN]!, drive);
      yield* newDocuments(session, selection, changed(tree, links, page.changes ?? []), at(gone === undefined), true);
      isLast = page.nextPageToken === undefined;
      tokens[drive ?? OWN] = page.nextPageToken ?? page.newStartPageToken ?? tokens[drive ?? OWN]!;
      yield { documents: [], cursor: at(gone === undefined) };
    }
  }
  if (gone) throw gone;
}

async function selectedRoots(
  api: DriveApi,
  selection: GoogleDriveSelection,
): Promise<{ places: GoogleDriveRoot[]; gone?: SelectionNotFound }> {
  const places: GoogleDriveRoot[] = [];
  let gone: SelectionNotFound | undefined;
  for (const chosen of selection.folders) {
    if (chosen === SHARED_WITH_ME) {
      places.push({ id: chosen, driveId: undefined, path: '' });
      continue;
    }
    try {
      const { id, driveId, mimeType, trashed } = await api.file(chosen);
      if (mimeType !== FOLDER || trashed) throw new SelectionNotFound('A selected folder is in the trash.');
      if (!places.some((place) => place.id === id)) places.push({ id, driveId, path: '' });
    } catch (error) {
      if (!(error instanceof SelectionNotFound)) throw error;
      gone ??= error;
    }
  }
  return { places, gone };
}

async function firstTokens(api: DriveApi, drives: readonly (string | undefined)[]): Promise<Record<string, string>> {
  const tokens: Record<string, string> = {};
  for (const drive of drives) tokens[drive ?? OWN] = await api.startPageToken(drive);
  return tokens;
}

/** The changed files in the selected folders. */
async function* changed(
  tree: DriveTree,
  links: Links,
  changes: readonly Change[],
): AsyncGenerator<readonly GoogleDriveEntry[]> {
  for (const { file, removed } of changes) {
    if (!file || removed === true || file.trashed || file.mimeType === SHORTCUT) continue;
    const folder = links.files.get(file.id);
    const path = (await tree.pathOf(file)) ?? (folder === undefined ? null : pathIn(folder, file));
    if (path === null) continue;
    if (file.mimeType !== FOLDER) yield [{ file, path }];
    else yield* tree.below([{ id: file.id, driveId: file.driveId, path }]);
  }
}

/** Yields the files that match the selection and are new. */
async function* newDocuments(
  session: DriveSession,
  selection: GoogleDriveSelection,
  listing: AsyncIterable<readonly GoogleDriveEntry[]>,
  cursor: DriveCursor,
  countsFiltered: boolean,
): AsyncGenerator<SourcePage<DriveCursor>> {
  const classify = ({ file, path }: GoogleDriveEntry): Verdict =>
    selection.exclusion(file, path) ?? reference(file, path);
  const filteredBy = yield* filterKnown(session, listing, classify, cursor);
  if (countsFiltered && totalFiltered(filteredBy) > 0) yield { documents: [], filteredBy, cursor };
}
