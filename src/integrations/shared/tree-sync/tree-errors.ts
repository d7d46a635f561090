import { SelectionNotFound, UnexpectedResponse, PermissionMissing, Transient } from '../../core/source-errors';
import type { Tree } from './files/tree';

/** What one folder or file can fail with while the others are well. */
export type TransientTreeError = Transient | UnexpectedResponse;

export function isTransientTreeError(error: unknown): error is TransientTreeError {
  return error instanceof Transient || error instanceof UnexpectedResponse;
}

/** So many folders in a row that cannot be listed may mean that the source is away. */
const SICK_IN_A_ROW = 3;

/** What has been wrong with the folders and files of one walk. */
export class ErrorTracker {
  /** A chosen folder is not there, or closed to the key. */
  gone: SelectionNotFound | PermissionMissing | undefined;
  /** A chosen folder could not be listed. */
  isRootSick = false;
  private sick: TransientTreeError | undefined;
  private sickInARow = 0;
  private lastWell: string | undefined;

  constructor(private readonly tree: Tree) {}

  /** What the walk fails with, in the end. */
  get failure(): SelectionNotFound | PermissionMissing | TransientTreeError | undefined {
    return this.gone ?? this.sick;
  }

  /** A folder has been listed to its end. */
  none(folder: string): void {
    this.lastWell = folder;
    this.sickInARow = 0;
  }

  /** Something has been left for the next walk; with the reason, where it could not be looked at. */
  note(why?: TransientTreeError): void {
    this.sick ??= why;
  }

  /** A folder could not be listed. Answers whether the source is away. Throws what concerns more than this folder. */
  async meet(error: unknown, isRoot: boolean): Promise<boolean> {
    if (isTransientTreeError(error)) {
      this.note(error);
      this.isRootSick ||= isRoot;
      return ++this.sickInARow % SICK_IN_A_ROW === 0 && (await isAway(this.tree, this.lastWell));
    }
    const isClosed = isRoot && error instanceof PermissionMissing;
    if (!isClosed && !(error instanceof SelectionNotFound)) throw error;
    // Below a chosen folder, one that vanished or is closed to the user is simply not there.
    if (isRoot) this.gone ??= error;
    return false;
  }
}

/** Whether a folder that could be listed before, if there was one, cannot be any more. */
async function isAway(tree: Tree, folder: string | undefined): Promise<boolean> {
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
