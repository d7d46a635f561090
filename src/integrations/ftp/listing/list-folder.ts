import { type FileInfo, FileType } from 'basic-ftp';
import { encodeFilename, decodeFilename } from '../../shared/tree-sync/files/filename-encoding';
import type { TreeFile, TreeFolder } from '../../shared/tree-sync/files/tree';
import { SelectionNotFound } from '../../core/source-errors';
import type { FtpConnection } from '../connect';
import { classifyFolder, codeOf } from '../ftp-errors';
import type { FtpPool } from '../ftp-pool';
import { listDate } from './list-date';
import { FtpListing } from './listing';

/** The start folder of a login. */
export const START_FOLDER = '.';

/** The maximum difference between two time zones. */
const ZONES_MS = 26 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const WHAT = 'FTP folder';
const IS_EMPTY = /no (such )?files? found|empty/i;

/** Lists a folder. Throws `SelectionNotFound` and `ConnectionLost`. */
export function listFolder(pool: FtpPool, folder: string): Promise<FtpListing> {
  return withFolderErrors(pool, (connection) => listingOf(connection, folder));
}

/**
 * The entries of a listed folder, in portions. When it matters whether a file was changed recently, or since `since`, its time is
 * exact or unknown. Throws `ConnectionLost`.
 */
export async function* entriesIn(
  pool: FtpPool,
  folder: string,
  listing: FtpListing,
  now: Date,
  since: Date | null,
): AsyncGenerator<(TreeFile | TreeFolder)[]> {
  for (const entries of listing.portions()) {
    yield await withFolderErrors(pool, async (connection) => {
      const found: (TreeFile | TreeFolder)[] = [];
      for (const entry of entries) {
        const path = pathOf(folder, entry);
        if (entry.isDirectory) found.push({ kind: 'folder', path });
        else if (entry.isFile) found.push(await withTime(connection, fileOf(path, entry, now), [now, since]));
        else if (entry.type === FileType.SymbolicLink) {
          const file = await lookUp(connection, path);
          if (file) found.push(file);
        }
      }
      return found;
    });
  }
}

/** The path of an entry of a folder. */
export function pathOf(folder: string, { name }: FileInfo): string {
  const decoded = decodeFilename(Buffer.from(name, 'latin1'));
  return folder === START_FOLDER ? decoded : `${folder}/${decoded}`;
}

function withFolderErrors<T>(pool: FtpPool, work: (connection: FtpConnection) => Promise<T>): Promise<T> {
  return pool.use(async (connection) => {
    try {
      return await work(connection);
    } catch (error) {
      throw classifyFolder(error, WHAT);
    }
  });
}

async function listingOf(connection: FtpConnection, folder: string): Promise<FtpListing> {
  // Names with line breaks cannot be requested.
  if (/[\r\n\0]/.test(folder)) throw new SelectionNotFound(`${WHAT}: no such name.`);
  // Enters the folder, because servers interpret arguments of LIST as options and patterns.
  await connection.client.send(`CWD ${absolute(connection, folder)}`);
  return FtpListing.of(connection.client).catch((error: unknown) => {
    if (codeOf(error) !== undefined && IS_EMPTY.test((error as Error).message)) return FtpListing.EMPTY;
    throw error;
  });
}

/** The current state of a single file; null when it does not exist or is not a file. Throws the server's errors. */
export async function lookUp(connection: FtpConnection, path: string): Promise<TreeFile | null> {
  const { client, hasFacts } = connection;
  try {
    if (hasFacts) {
      const { message } = await client.send(`MLST ${absolute(connection, path)}`);
      const facts = message.split(/\r?\n/).find((each) => /^\s*\S*=\S*;/.test(each));
      // The name is the requested path.
      const [entry] = client.parseList(`${facts?.trim().split(' ')[0] ?? ''} name`);
      if (entry?.isFile) return fileOf(path, entry, new Date(0));
      if (!entry?.isSymbolicLink) return null;
    }
    const size = await client.size(absolute(connection, path));
    const modifiedAt = await timeOf(connection, path);
    return { kind: 'file', path, size, modifiedAt, version: modifiedAt?.toISOString() ?? '' };
  } catch (error) {
    if (codeOf(error) !== undefined && codeOf(error)! >= 500) return null;
    throw error;
  }
}

/** The absolute path in the form that is sent, one character per byte. Absolute, so that a name cannot be taken for an option. */
export function absolute({ home }: FtpConnection, path: string): string {
  return path === START_FOLDER ? home || '/' : `${home}/${encodeFilename(path).toString('latin1')}`;
}

function fileOf(path: string, entry: FileInfo, now: Date): TreeFile {
  const size = Number.isSafeInteger(entry.size) ? entry.size : 0;
  const raw = entry.rawModifiedAt.replace(/\s+/g, ' ').trim();
  const exact = entry.modifiedAt && !Number.isNaN(entry.modifiedAt.getTime()) ? entry.modifiedAt : undefined;
  return { kind: 'file', path, size, modifiedAt: exact ?? listDate(raw, now), version: exact?.toISOString() ?? raw };
}

/** Requests the exact time of a change when the listing is too imprecise to compare it with one of these times. */
async function withTime(
  connection: FtpConnection,
  file: TreeFile,
  moments: readonly (Date | null)[],
): Promise<TreeFile> {
  const { modifiedAt, version } = file;
  if (!modifiedAt || version === modifiedAt.toISOString()) return file;
  if (!moments.some((moment) => moment && isPossibleTime(modifiedAt, moment))) return file;
  return { ...file, modifiedAt: await timeOf(connection, file.path) };
}

/** Whether a time of an unknown zone may be that time. Midnight may represent a whole day. */
function isPossibleTime(rough: Date, moment: Date): boolean {
  const later = moment.getTime() - rough.getTime();
  return later >= -ZONES_MS && later <= ZONES_MS + (rough.getTime() % DAY_MS === 0 ? DAY_MS : 0);
}

/** The time of the last change (MDTM, in UTC); undefined when the server does not return it. */
async function timeOf(connection: FtpConnection, path: string): Promise<Date | undefined> {
  try {
    const date = await connection.client.lastMod(absolute(connection, path));
    return Number.isNaN(date.getTime()) ? undefined : date;
  } catch (error) {
    if (codeOf(error) !== undefined) return undefined;
    throw error;
  }
}
