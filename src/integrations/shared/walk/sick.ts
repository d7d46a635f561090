import { ContractBroken, Temporary } from '../../source-errors';
import type { Tree } from './tree';

/** What one folder or file can fail with while the others are well. */
export type Sick = Temporary | ContractBroken;

export function isSick(error: unknown): error is Sick {
  return error instanceof Temporary || error instanceof ContractBroken;
}

/** Whether a folder that could be listed before, if there was one, cannot be any more. */
export async function isAway(tree: Tree, folder: string | undefined): Promise<boolean> {
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
