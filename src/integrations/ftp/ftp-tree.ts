import { SelectionNotFound, UnexpectedResponse } from '../core/source-errors';
import { displayFilename } from '../shared/tree-sync/files/filename-encoding';
import {
  isBelow,
  type Tree,
  type TreeFile,
  type TreeFolder,
  type UnreadableEntry,
} from '../shared/tree-sync/files/tree';
import { classifyFile } from './ftp-errors';
import type { FtpPool } from './ftp-pool';
import { entriesIn, listFolder, lookUp, START_FOLDER } from './list-folder';
import type { FtpListing } from './listing';

/** What is known of a folder that was listed: its identity, where the server tells one, and its look. */
type FolderFingerprint = Pick<FtpListing, 'identity' | 'contentDigest'>;

/** A folder that looks like one above it is that one, when the way between them can be gone so many times more. */
const CYCLE_PROOF_REPETITIONS = 3;

/**
 * The files of an FTP server. Links to files are files; links to folders lead nowhere, for they may lead in circles: who wants
 * what is behind one chooses it as a folder. Some servers show such links as folders: who comes back to one that lies above by them
 * goes no further.
 */
export class FtpTree implements Tree {
  /** Which folders lie on the way to the one that was listed last, by their paths. */
  private readonly above = new Map<string, FolderFingerprint>();

  constructor(
    private readonly pool: FtpPool,
    private readonly now: () => Date,
    private readonly since: Date | null,
  ) {}

  async *list(folder: string): AsyncGenerator<(TreeFile | TreeFolder | UnreadableEntry)[]> {
    const listing = await listFolder(this.pool, folder);
    if (await this.isCycle(folder, listing)) return;
    yield* entriesIn(this.pool, folder, listing, this.now(), this.since);
    if (!listing.isTruncated) return;
    const why = new UnexpectedResponse(`FTP folder ${displayFilename(folder)}: it holds more than the server lists.`);
    yield [{ kind: 'gap', error: why }];
  }

  stat(file: TreeFile): Promise<TreeFile | null> {
    return this.pool.use(async (connection) => {
      try {
        const now = await lookUp(connection, file.path);
        // A server without exact listings tells the time in another way here than there.
        const isSame = now?.size === file.size && now.modifiedAt?.getTime() === file.modifiedAt?.getTime();
        return isSame ? file : now;
      } catch (error) {
        throw classifyFile(error, 'FTP');
      }
    });
  }

  private async isCycle(folder: string, { identity, contentDigest }: FtpListing): Promise<boolean> {
    for (const path of this.above.keys()) if (path === folder || !isBelow(folder, path)) this.above.delete(path);
    for (const [path, seen] of this.above) {
      if (identity !== undefined) {
        if (seen.identity === identity) return true;
      } else if (seen.contentDigest === contentDigest && (await this.repeats(folder, path, contentDigest))) return true;
    }
    this.above.set(folder, { identity, contentDigest });
    return false;
  }

  /** Whether the way from a folder above to this one leads to the same look again and again, as only a circle does. */
  private async repeats(folder: string, above: string, contentDigest: string): Promise<boolean> {
    const way = above === START_FOLDER ? folder : folder.slice(above.length + 1);
    let at = folder;
    for (let turn = 0; turn < CYCLE_PROOF_REPETITIONS; turn++) {
      at = `${at}/${way}`;
      if ((await this.contentDigestOf(at)) !== contentDigest) return false;
    }
    return true;
  }

  private async contentDigestOf(folder: string): Promise<string | undefined> {
    try {
      return (await listFolder(this.pool, folder)).contentDigest;
    } catch (error) {
      if (error instanceof SelectionNotFound) return undefined;
      throw error;
    }
  }
}
