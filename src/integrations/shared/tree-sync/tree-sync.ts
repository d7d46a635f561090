import { ReasonCounter } from '../../core/filter-reason';
import type { Session } from '../../core/integration';
import type { SourcePage } from '../../core/source-document';
import { FolderVersions, type FolderVersionMap } from './folder-versions';
import { NewFilePages, type TreeSyncOptions } from './new-file-pages';
import type { Defer } from './stability-check';
import { ErrorTracker } from './tree-errors';
import type { Tree, TreeFile } from './files/tree';
import type { FileSelection } from './selection/file-selection';

/**
 * The cursor of a synchronized tree. It does not contain the known files, which `session.findKnown` looks up, so that it stays
 * small for any number of files (ADR 14).
 */
export type TreeCursor = {
  /** The start of the last complete synchronization (RFC 3339); null when there was none. */
  readonly syncedAt: string | null;
  /** The digest of the selection that `folders` belongs to. */
  readonly selection: string;
  /** The versions of completely processed folders, where the source has such versions. */
  readonly folders: FolderVersionMap;
  /** The start of the last complete synchronization that listed every folder (RFC 3339). */
  readonly opened?: string;
};

/**
 * Changes that bypass Nextcloud in an external storage do not change versions until the folder is opened, so all folders are listed
 * in this interval.
 */
const FULL_SYNC_INTERVAL_MS = 24 * 3_600_000;

/**
 * Lists the selected folders recursively and yields all new or changed files: those whose path, size and version are unknown. New
 * files that may still be written (changed in the last minutes, or without a usable time) are checked again at the end, and left
 * for the next synchronization when they have changed. Excluded files are counted once, by reason. Folders with an unchanged
 * version are skipped, except once a day. The cursor moves when the synchronization is complete; until then everything is listed
 * again, but nothing downloaded twice.
 *
 * A folder that cannot be listed, or has an unreadable entry, is left for the next synchronization and does not affect others.
 * After all files are yielded, the error of the first such folder is thrown, `SelectionNotFound` when a selected folder does not
 * exist, or `PermissionMissing` when it is not permitted; the cursor moves nevertheless, unless a selected folder could not be
 * listed. When the source is down, its error is thrown immediately, like the tree's other errors.
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
    before?.selection === selection.digest ? before : { syncedAt: null, selection: selection.digest, folders: {} };
  const syncedAt = cursor.syncedAt === null ? null : Date.parse(cursor.syncedAt);
  const isFullSync = !cursor.opened || began.getTime() - Date.parse(cursor.opened) >= FULL_SYNC_INTERVAL_MS;
  const folders = new FolderVersions(isFullSync ? {} : cursor.folders);
  const errors = new ErrorTracker(tree);
  const filtered = new ReasonCounter();
  const defer: Defer = (path, why) => {
    folders.invalidate(path);
    if (why === 'CHANGED') filtered.count('PARTIAL_UPLOAD');
    else errors.recordDeferred(why);
  };
  const files = new NewFilePages(tree, session, cursor, defer, options);

  for (const root of selection.folders) {
    const open = [root];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      try {
        for await (const entries of tree.list(folder)) {
          session.signal.throwIfAborted();
          for (const entry of entries) {
            if (entry.kind === 'folder') {
              if (folders.needsListing(entry)) open.push(entry.path);
            } else if (entry.kind === 'unreadable') {
              defer(folder, entry.error);
            } else {
              const reason = selection.exclusion(entry, root);
              if (reason === undefined) files.add(entry);
              else if (isNewSince(entry, syncedAt)) filtered.count(reason);
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
  const last = { syncedAt: now, selection: selection.digest, opened: isFullSync ? now : cursor.opened };
  // Known folders may contain files that the missing one would have listed.
  yield { documents: [], filteredBy: filtered.counts, cursor: { ...last, folders: gone ? {} : folders.all() } };
  if (failure) throw failure;
}

/** Whether a file was added or changed since the last synchronization; others were counted before. */
function isNewSince({ modifiedAt }: TreeFile, syncedAt: number | null): boolean {
  return syncedAt === null || (modifiedAt !== undefined && modifiedAt.getTime() >= syncedAt);
}
