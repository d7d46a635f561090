import { ConfigurationGone, ContractBroken, PermissionMissing, Temporary } from '../../core/source-errors';
import type { Tree } from './files/tree';

/** What one folder or file can fail with while the others are well. */
export type Sick = Temporary | ContractBroken;

export function isSick(error: unknown): error is Sick {
  return error instanceof Temporary || error instanceof ContractBroken;
}

/** So many folders in a row that cannot be listed may mean that the source is away. */
const SICK_IN_A_ROW = 3;

/** What has been wrong with the folders and files of one walk. */
export class Faults {
  /** A chosen folder is not there, or closed to the key. */
  gone: ConfigurationGone | PermissionMissing | undefined;
  /** A chosen folder could not be listed. */
  isRootSick = false;
  private sick: Sick | undefined;
  private sickInARow = 0;
  private lastWell: string | undefined;

  constructor(private readonly tree: Tree) {}

  /** What the walk fails with, in the end. */
  get failure(): ConfigurationGone | PermissionMissing | Sick | undefined {
    return this.gone ?? this.sick;
  }

  /** A folder has been listed to its end. */
  none(folder: string): void {
    this.lastWell = folder;
    this.sickInARow = 0;
  }

  /** Something has been left for the next walk; with the reason, where it could not be looked at. */
  note(why?: Sick): void {
    this.sick ??= why;
  }

  /** A folder could not be listed. Answers whether the source is away. Throws what concerns more than this folder. */
  async meet(error: unknown, isRoot: boolean): Promise<boolean> {
    if (isSick(error)) {
      this.note(error);
      this.isRootSick ||= isRoot;
      return ++this.sickInARow % SICK_IN_A_ROW === 0 && (await isAway(this.tree, this.lastWell));
    }
    const isClosed = isRoot && error instanceof PermissionMissing;
    if (!isClosed && !(error instanceof ConfigurationGone)) throw error;
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
    if (!isSick(error)) throw error;
    return true;
  }
}
