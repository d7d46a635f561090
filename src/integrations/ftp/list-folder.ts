import { type FileInfo, FileType } from 'basic-ftp';
import { encodeFilename, decodeFilename } from '../shared/tree-sync/files/filename-encoding';
import type { TreeFile, TreeFolder } from '../shared/tree-sync/files/tree';
import { SelectionNotFound } from '../core/source-errors';
import type { FtpConnection } from './connect';
import { classifyFolder, codeOf } from './ftp-errors';
import type { FtpPool } from './ftp-pool';
import { listDate } from './list-date';
import { FtpListing } from './listing';

/** Where a login begins. */
export const START_FOLDER = '.';

/** So far may lie between what two time zones say. */
const ZONES_MS = 26 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const WHAT = 'FTP folder';
const IS_EMPTY = /no (such )?files? found|empty/i;

/** What the server tells of a folder. Throws `SelectionNotFound` and `ConnectionLost`. */
export function listFolder(pool: FtpPool, folder: string): Promise<FtpListing> {
  return withFolderErrors(pool, (connection) => listingOf(connection, folder));
}

/**
 * What is in a folder, in portions: files with their versions, and folders. Where it matters whether a file was changed a moment ago,
 * or `since` then, its time is exact or unknown. Throws `ConnectionLost`.
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

/** The path of what a listing of the folder tells of. */
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
  // Nothing with a line break in it can be asked for.
  if (/[\r\n\0]/.test(folder)) throw new SelectionNotFound(`${WHAT}: no such name.`);
  // Entered, not named: what LIST is given, servers take for options and patterns.
  await connection.client.send(`CWD ${absolute(connection, folder)}`);
  return FtpListing.of(connection.client).catch((error: unknown) => {
    if (codeOf(error) !== undefined && IS_EMPTY.test((error as Error).message)) return FtpListing.EMPTY;
    throw error;
  });
}

/** A single file as it is now; null when it is gone, or no file. Throws the server's errors. */
export async function lookUp(connection: FtpConnection, path: string): Promise<TreeFile | null> {
  const { client, hasFacts } = connection;
  try {
    if (hasFacts) {
      const { message } = await client.send(`MLST ${absolute(connection, path)}`);
      const facts = message.split(/\r?\n/).find((each) => /^\s*\S*=\S*;/.test(each));
      // The name is the path that was asked for.
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

/** The path as it is sent, a character for each byte: absolute, so that no name begins a command's argument. */
export function absolute({ home }: FtpConnection, path: string): string {
  return path === START_FOLDER ? home || '/' : `${home}/${encodeFilename(path).toString('latin1')}`;
}

function fileOf(path: string, entry: FileInfo, now: Date): TreeFile {
  const size = Number.isSafeInteger(entry.size) ? entry.size : 0;
  const raw = entry.rawModifiedAt.replace(/\s+/g, ' ').trim();
  const exact = entry.modifiedAt && !Number.isNaN(entry.modifiedAt.getTime()) ? entry.modifiedAt : undefined;
  return { kind: 'file', path, size, modifiedAt: exact ?? listDate(raw, now), version: exact?.toISOString() ?? raw };
}

/** Finds out when a file was changed, where the listing leaves open whether that was before one of these moments. */
async function withTime(
  connection: FtpConnection,
  file: TreeFile,
  moments: readonly (Date | null)[],
): Promise<TreeFile> {
  const { modifiedAt, version } = file;
  if (!modifiedAt || version === modifiedAt.toISOString()) return file;
  if (!moments.some((moment) => moment && mayBe(modifiedAt, moment))) return file;
  return { ...file, modifiedAt: await timeOf(connection, file.path) };
}

/** Whether a time of an unknown zone may be that moment. At midnight it may be a day alone, of which any hour is meant. */
function mayBe(rough: Date, moment: Date): boolean {
  const later = moment.getTime() - rough.getTime();
  return later >= -ZONES_MS && later <= ZONES_MS + (rough.getTime() % DAY_MS === 0 ? DAY_MS : 0);
}

/** The time of the last change (MDTM, in UTC); undefined where the server does not tell. */
async function timeOf(connection: FtpConnection, path: string): Promise<Date | undefined> {
  try {
    const date = await connection.client.lastMod(absolute(connection, path));
    return Number.isNaN(date.getTime()) ? undefined : date;
  } catch (error) {
    if (codeOf(error) !== undefined) return undefined;
    throw error;
  }
}
