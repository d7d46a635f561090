import { isBelow, type Tree, type TreeFile, type TreeFolder } from '../shared/walk/tree';
import { classifyFile } from './ftp-errors';
import type { FtpPool } from './ftp-pool';
import { entriesIn, listFolder, lookUp } from './list-folder';
import type { Listing } from './listing';

/**
 * The files of an FTP server. Links to files are files; links to folders lead nowhere, for they may lead in circles: who wants
 * what is behind one chooses it as a folder. Some servers show such links as folders: who comes back to one that lies above by them
 * goes no further.
 */
export class FtpTree implements Tree {
  /** Which folders lie on the way to the one that was listed last: their paths and identities. */
  private readonly above = new Map<string, string>();

  constructor(
    private readonly pool: FtpPool,
    private readonly now: () => Date,
    private readonly since: Date | null,
  ) {}

  async *list(folder: string): AsyncGenerator<(TreeFile | TreeFolder)[]> {
    const listing = await listFolder(this.pool, folder);
    if (!this.leadsBack(folder, listing)) yield* entriesIn(this.pool, folder, listing, this.now(), this.since);
  }

  look(file: TreeFile): Promise<TreeFile | null> {
    return this.pool.use(async (line) => {
      try {
        const now = await lookUp(line, file.path);
        // A server without exact listings tells the time in another way here than there.
        const isSame = now?.size === file.size && now.modifiedAt?.getTime() === file.modifiedAt?.getTime();
        return isSame ? file : now;
      } catch (error) {
        throw classifyFile(error, 'FTP');
      }
    });
  }

  private leadsBack(folder: string, { identity }: Listing): boolean {
    for (const path of this.above.keys()) if (path === folder || !isBelow(folder, path)) this.above.delete(path);
    if (identity === undefined) return false;
    if (this.above.values().some((each) => each === identity)) return true;
    this.above.set(folder, identity);
    return false;
  }
}
