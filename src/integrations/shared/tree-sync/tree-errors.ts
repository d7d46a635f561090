import { SelectionNotFound, UnexpectedResponse, PermissionMissing, Transient } from '../../core/source-errors';
import type { Tree } from './files/tree';

/** An error that may concern a single folder or file. */
export type TransientTreeError = Transient | UnexpectedResponse;

export function isTransientTreeError(error: unknown): error is TransientTreeError {
  return error instanceof Transient || error instanceof UnexpectedResponse;
}

/** After this many consecutive failures a folder that was listed before is probed, because the source may be down. */
const FAILURES_BEFORE_PROBE = 3;

/** Tracks the errors of the folders and files of one synchronization. */
export class ErrorTracker {
  /** The error of a selected folder that does not exist or is not permitted. */
  missingRoot: SelectionNotFound | PermissionMissing | undefined;
  /** Whether a selected folder could not be listed. */
  hasRootFailed = false;
  private transient: TransientTreeError | undefined;
  private consecutiveFailures = 0;
  private lastListed: string | undefined;

  constructor(private readonly tree: Tree) {}

  /** The error of the synchronization. */
  get failure(): SelectionNotFound | PermissionMissing | TransientTreeError | undefined {
    return this.missingRoot ?? this.transient;
  }

  /** Records that a folder was listed completely. */
  recordSuccess(folder: string): void {
    this.lastListed = folder;
    this.consecutiveFailures = 0;
  }

  /** Records an entry that is left for the next synchronization, with its error, if any. */
  recordDeferred(why?: TransientTreeError): void {
    this.transient ??= why;
  }

  /** Records that a folder could not be listed. Returns whether the source is down. Rethrows errors that concern more than this folder. */
  async recordFailure(error: unknown, isRoot: boolean): Promise<boolean> {
    if (isTransientTreeError(error)) {
      this.recordDeferred(error);
      this.hasRootFailed ||= isRoot;
      return (
        ++this.consecutiveFailures % FAILURES_BEFORE_PROBE === 0 && (await isSourceDown(this.tree, this.lastListed))
      );
    }
    const isClosed = isRoot && error instanceof PermissionMissing;
    if (!isClosed && !(error instanceof SelectionNotFound)) throw error;
    // Below a selected folder, one that was deleted or is not permitted is ignored.
    if (isRoot) this.missingRoot ??= error;
    return false;
  }
}

/** Whether a folder that was listed before fails now; true without one. */
async function isSourceDown(tree: Tree, folder: string | undefined): Promise<boolean> {
  if (folder === undefined) return true;
  const listing = tree.list(folder)[Symbol.asyncIterator]();
  try {
    await listing.next();
    await listing.return?.();
    return false;
  } catch (error) {
    if (!isTransientTreeError(error)) throw error;
    return true;
  }
}
