import type { Session } from '../../core/integration';
import type { SourcePage } from '../../core/source-document';
import { FolderVersions, type FolderVersionMap } from './folder-versions';
import { NewFilePages, type TreeSyncOptions } from './new-file-pages';
import type { Defer } from './stability-check';
import { ErrorTracker } from './tree-errors';
import type { Tree, TreeFile } from './files/tree';
import type { FileSelection } from './selection/file-selection';

/**
 * What is remembered from one walk to the next. Which files have been read is not among it: that is asked of `session.known`,
 * so that a cursor stays small however many files there are (ADR 14).
 */
export type TreeCursor = {
  /** When the last complete walk began (RFC 3339); null when there was none. */
  readonly walked: string | null;
  /** For which choice `folders` holds. */
  readonly choice: string;
  /** Folders whose whole content has been looked at, with their versions, where the source has versions of folders. */
  readonly folders: FolderVersionMap;
  /** When the last complete walk that opened every folder began (RFC 3339). */
  readonly opened?: string;
};

/** What is put into an external storage past Nextcloud changes no version until somebody opens its folder. */
const FULL_SYNC_INTERVAL_MS = 24 * 3_600_000;

/**
 * Walks the chosen folders and yields every file that is new or was changed: those whose path, size and version are not known yet.
 * New files that may still be written are looked at a second time at the end, and left for the next walk when they changed
 * meanwhile: those changed in the last minutes, and those whose time says nothing. Empty files and those that the user does not want
 * count as filtered, once. Folders whose version is known are passed by, all but once a day. The cursor moves when the walk is
 * through; until then everything is listed again, but nothing read twice.
 *
 * A folder that cannot be listed for now, or has a gap, is left for the next walk, and all others are done: a source can be well
 * but for one folder, for as long as it likes. Throws what the first such folder failed with, `SelectionNotFound` when a chosen
 * folder is not there and `PermissionMissing` when one is closed to the key, after all that was found has been handed on; the cursor
 * moves all the same, unless it was a chosen folder that could not be listed. Throws at once when the source is away, and the tree's
 * other errors.
 */
export async function* syncTree(
  tree: Tree,
  selection: FileSelection,
  session: Pick<Session, 'findKnown' | 'now' | 'signal'>,
  before: TreeCursor | null,
  options: TreeSyncOptions = {},
): AsyncGenerator<SourcePage<TreeCursor>> {
  const began = session.now();
  const cursor: TreeCursor =
    before?.choice === selection.digest ? before : { walked: null, choice: selection.digest, folders: {} };
  const walked = cursor.walked === null ? null : Date.parse(cursor.walked);
  const isFullSync = !cursor.opened || began.getTime() - Date.parse(cursor.opened) >= FULL_SYNC_INTERVAL_MS;
  const folders = new FolderVersions(isFullSync ? {} : cursor.folders);
  const errors = new ErrorTracker(tree);
  const defer: Defer = (path, why) => {
    folders.invalidate(path);
    errors.recordDeferred(why);
  };
  const files = new NewFilePages(tree, session, cursor, defer, options);
  let filtered = 0;

  for (const root of selection.folders) {
    const open = [root];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      try {
        for await (const entries of tree.list(folder)) {
          session.signal.throwIfAborted();
          for (const entry of entries) {
            if (entry.kind === 'folder') {
              if (folders.needsListing(entry)) open.push(entry.path);
            } else if (entry.kind === 'gap') {
              defer(folder, entry.error);
            } else if (selection.isInTime(entry)) {
              if (entry.size !== 0 && selection.wants(entry.path, root)) files.add(entry);
              else if (isNewSince(entry, walked)) filtered += 1;
            }
          }
          if (files.isFull) yield* files.flush();
        }
        errors.recordSuccess(folder);
      } catch (error) {
        session.signal.throwIfAborted();
        folders.invalidate(folder);
        if (!(await errors.recordFailure(error, folder === root))) continue;
        yield* files.flush();
        throw error;
      }
    }
  }
  yield* files.finish();
  session.signal.throwIfAborted();
  const { failure, missingRoot: gone, hasRootFailed: isRootSick } = errors;
  if (failure && isRootSick) throw failure;

  const now = began.toISOString();
  const last = { walked: now, choice: selection.digest, opened: isFullSync ? now : cursor.opened };
  // Known folders may hold what a missing one would have shown.
  yield { documents: [], filtered, cursor: { ...last, folders: gone ? {} : folders.all() } };
  if (failure) throw failure;
}

/** Only what came or was changed since the last walk is counted again. */
function isNewSince({ modifiedAt }: TreeFile, walked: number | null): boolean {
  return walked === null || (modifiedAt !== undefined && modifiedAt.getTime() >= walked);
}
