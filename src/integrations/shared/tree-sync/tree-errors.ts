import { SelectionNotFound, UnexpectedResponse, PermissionMissing, Transient } from '../../core/source-errors';
import type { Tree } from './files/tree';

/** What one folder or file can fail with while the others are well. */
export type TransientTreeError = Transient | UnexpectedResponse;

export function isTransientTreeError(error: unknown): error is TransientTreeError {
  return error instanceof Transient || error instanceof UnexpectedResponse;
}

/** So many folders in a row that cannot be listed may mean that the source is away. */
const FAILURES_BEFORE_PROBE = 3;

/** What has been wrong with the folders and files of one walk. */
export class ErrorTracker {
  /** A chosen folder is not there, or closed to the key. */
  missingRoot: SelectionNotFound | PermissionMissing | undefined;
  /** A chosen folder could not be listed. */
  hasRootFailed = false;
  private transient: TransientTreeError | undefined;
  private consecutiveFailures = 0;
  private lastListed: string | undefined;

  constructor(private readonly tree: Tree) {}

  /** What the walk fails with, in the end. */
  get failure(): SelectionNotFound | PermissionMissing | TransientTreeError | undefined {
    return this.missingRoot ?? this.transient;
  }

  /** A folder has been listed to its end. */
  recordSuccess(folder: string): void {
    this.lastListed = folder;
    this.consecutiveFailures = 0;
  }

  /** Something has been left for the next walk; with the reason, where it could not be looked at. */
  recordDeferred(why?: TransientTreeError): void {
    this.transient ??= why;
  }

  /** A folder could not be listed. Answers whether the source is away. Throws what concerns more than this folder. */
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
    // Below a chosen folder, one that vanished or is closed to the user is simply not there.
    if (isRoot) this.missingRoot ??= error;
    return false;
  }
}

/** Whether a folder that could be listed before, if there was one, cannot be any more. */
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
