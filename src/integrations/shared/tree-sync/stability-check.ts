import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../core/integration';
import { SelectionNotFound, DocumentUnavailable } from '../../core/source-errors';
import { keyOf } from './selection/file-document';
import { isTransientTreeError, type TransientTreeError } from './tree-errors';
import { folderOf, type Tree, type TreeFile } from './files/tree';

/** A file that was last changed this long ago is no longer being written, even if the server's clock is some minutes slow. */
const STABLE_AFTER_MS = 15 * 60_000;
/** The maximum number of deferred files. */
const MAX_PENDING = 10_000;
const CONCURRENT_STATS = 8;
/** The number of files in a folder from which it is listed again instead of checking each file. */
const MIN_FILES_TO_LIST = 20;
/** The listing stops after this many names per file, which cost about as much as checking one file. */
const MAX_NAMES_PER_FILE = 50;

/** Called with a file that is left for the next synchronization: it has changed, could not be checked, or is gone. */
export type Defer = (path: string, why?: TransientTreeError | 'CHANGED') => void;

/** Defers files that may still be written until a second check. */
export class StabilityCheck {
  private pending: TreeFile[] = [];
  private lastDeferredAt = 0;

  constructor(
    private readonly session: Pick<Session, 'now' | 'signal'>,
    private readonly pauseMs: number,
  ) {}

  /** False without a time or with one in the future, which are no evidence of the last change. */
  isStable({ modifiedAt }: TreeFile): boolean {
    return modifiedAt !== undefined && this.session.now().getTime() - modifiedAt.getTime() >= STABLE_AFTER_MS;
  }

  /** Defers a file until the second check. */
  defer(file: TreeFile): void {
    this.lastDeferredAt = performance.now();
    this.pending.push(file);
  }

  /** Whether the deferred files should be checked now. */
  get isFull(): boolean {
    return this.pending.length >= MAX_PENDING;
  }

  /**
   * Yields the files that have not changed since they were listed, at least `pauseMs` ago. Calls `defer` for the others, with the
   * error of a failed check. Throws when all checks fail, and the tree's other errors.
   */
  async *recheck(tree: Tree, defer: Defer): AsyncGenerator<TreeFile[]> {
    const files = this.pending;
    this.pending = [];
    if (files.length === 0) return;
    const left = this.lastDeferredAt + this.pauseMs - performance.now();
    if (left > 0) await pause(left, undefined, { signal: this.session.signal });
    const single: TreeFile[] = [];
    for (const [folder, within] of Map.groupBy(files, ({ path }) => folderOf(path))) {
      if (within.length < MIN_FILES_TO_LIST) single.push(...within);
      else single.push(...(yield* this.recheckByListing(tree, folder, within, defer)));
    }
    for (let at = 0; at < single.length; at += CONCURRENT_STATS) {
      this.session.signal.throwIfAborted();
      const batch = single.slice(at, at + CONCURRENT_STATS);
      const now = await Promise.all(batch.map((file) => statOrError(tree, file)));
      yield batch.filter((file, n) => isSame(file, now[n]));
      batch.forEach((file, n) => !isSame(file, now[n]) && defer(file.path, reasonToDefer(now[n])));
      if (now.length === CONCURRENT_STATS && now.every(isTransientTreeError)) throw now[0]!;
    }
  }

  /** Checks files by listing their folder again. Returns those that were not listed. */
  private async *recheckByListing(
    tree: Tree,
    folder: string,
    files: readonly TreeFile[],
    defer: Defer,
  ): AsyncGenerator<TreeFile[], TreeFile[]> {
    const wanted = new Map(files.map((file) => [file.path, file]));
    let names = 0;
    try {
      for await (const entries of tree.list(folder)) {
        this.session.signal.throwIfAborted();
        const stable: TreeFile[] = [];
        for (const entry of entries) {
          const file = entry.kind === 'file' && wanted.get(entry.path);
          if (!file) continue;
          wanted.delete(file.path);
          if (isSame(file, entry)) stable.push(file);
          else defer(file.path, 'CHANGED');
        }
        yield stable;
        names += entries.length;
        if (wanted.size === 0 || names > files.length * MAX_NAMES_PER_FILE) break;
      }
    } catch (error) {
      if (!isTransientTreeError(error) && !(error instanceof SelectionNotFound)) throw error;
    }
    return [...wanted.values()];
  }
}

function reasonToDefer(
  seen: TreeFile | TransientTreeError | null | undefined,
): TransientTreeError | 'CHANGED' | undefined {
  if (!seen) return undefined;
  return isTransientTreeError(seen) ? seen : 'CHANGED';
}

function isSame(file: TreeFile, seen: TreeFile | TransientTreeError | null | undefined): boolean {
  return !!seen && !isTransientTreeError(seen) && keyOf(seen) === keyOf(file);
}

async function statOrError(tree: Tree, file: TreeFile): Promise<TreeFile | TransientTreeError | null> {
  try {
    return await tree.stat(file);
  } catch (error) {
    if (isTransientTreeError(error)) return error;
    if (error instanceof DocumentUnavailable) return null;
    throw error;
  }
}
