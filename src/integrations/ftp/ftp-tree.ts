import type { Tree, TreeFile, TreeFolder } from '../shared/walk/tree';
import { classifyFile } from './ftp-errors';
import type { FtpPool } from './ftp-pool';
import { listFolder, lookUp } from './list-folder';

/**
 * The files of an FTP server. Links to files are files; links to folders lead nowhere, for they may lead in circles: who wants
 * what is behind one chooses it as a folder.
 */
export class FtpTree implements Tree {
  constructor(
    private readonly pool: FtpPool,
    private readonly now: () => Date,
    private readonly since: Date | null,
  ) {}

  list(folder: string): AsyncGenerator<(TreeFile | TreeFolder)[]> {
    return listFolder(this.pool, folder, this.now(), this.since);
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
}
