import type { Session } from '../../integration';
import type { SourcePage } from '../../source-document';
import { ConfigurationGone } from '../../source-errors';
import { keyOf, reference } from './file-reference';
import { Settling } from './settling';
import { isAway, isSick, type Sick } from './sick';
import { isBelow, type Tree, type TreeFile } from './tree';
import type { WalkChoice } from './walk-choice';

/**
 * What is remembered from one walk to the next. Which files have been read is not among it: that is asked of `session.known`,
 * so that a cursor stays small however many files there are (ADR 14).
 */
export type WalkCursor = {
  /** When the last complete walk began (RFC 3339); null when there was none. */
  readonly walked: string | null;
  /** For which choice `folders` holds. */
  readonly choice: string;
  /** Folders whose whole content has been looked at, with their versions, where the source has versions of folders. */
  readonly folders: { readonly [path: string]: string };
};

/** So many files are asked about at once: few questions, little memory. */
const ASK = 500;
/** References a page. */
const PAGE = 100;
/** More folders than this are walked again instead of being remembered. */
const MOST_FOLDERS = 2_000;
/** So many folders in a row that cannot be listed may mean that the source is away. */
const SICK_IN_A_ROW = 3;

export interface WalkOptions {
  /** Milliseconds between two looks at a file that was changed a moment ago. Default 5,000. */
  readonly pauseMs?: number;
  /** The source shows no file before it has all of it, so none has to be looked at twice. Default false. */
  readonly filesAppearWhole?: boolean;
}

/**
 * Walks the chosen folders and yields every file that is new or was changed: those whose path, size and version are not known yet.
 * New files that may still be written are looked at a second time at the end, and left for the next walk when they changed
 * meanwhile: those changed in the last minutes, and those whose time says nothing. Empty files and those that the user does not want
 * count as filtered, once. The cursor moves when the walk is through; until then everything is listed again, but nothing read twice.
 *
 * A folder that cannot be listed for now is left for the next walk, and all others are done: a source can be well but for one
 * folder, for as long as it likes. Throws what the first such folder failed with, and `ConfigurationGone` when a chosen folder is
 * not there, after all that was found has been handed on; the cursor moves all the same, unless it was a chosen folder that could
 * not be listed. Throws at once when the source is away, and the tree's other errors.
 */
export async function* walk(
  tree: Tree,
  choice: WalkChoice,
  session: Pick<Session, 'known' | 'now' | 'signal'>,
  before: WalkCursor | null,
  { pauseMs = 5_000, filesAppearWhole = false }: WalkOptions = {},
): AsyncGenerator<SourcePage<WalkCursor>> {
  const began = session.now();
  const cursor: WalkCursor =
    before?.choice === choice.digest ? before : { walked: null, choice: choice.digest, folders: {} };
  const walked = cursor.walked === null ? null : Date.parse(cursor.walked);
  const settling = new Settling(session, pauseMs);
  const folders = new Map<string, string>();
  let areTooMany = false;
  let filtered = 0;
  let gone: ConfigurationGone | undefined;
  let sick: Sick | undefined;
  let isRootSick = false;
  let sickInARow = 0;
  let lastWell: string | undefined;
  function* pages(files: readonly TreeFile[]): Generator<SourcePage<WalkCursor>> {
    for (let at = 0; at < files.length; at += PAGE) {
      session.signal.throwIfAborted();
      yield { documents: files.slice(at, at + PAGE).map(reference), cursor };
    }
  }
  const remember = (path: string, version: string): void => {
    areTooMany ||= folders.size === MOST_FOLDERS && !folders.has(path);
    if (areTooMany) folders.clear();
    else folders.set(path, version);
  };
  /** A folder with something left to look at has to be opened again. */
  const reopen = (path: string): void =>
    folders.forEach((_, folder) => isBelow(path, folder) && folders.delete(folder));
  const leave = (path: string, why?: Sick): void => {
    reopen(path);
    sick ??= why;
  };

  let asking: TreeFile[] = [];
  async function* ask(): AsyncGenerator<SourcePage<WalkCursor>> {
    const files = asking;
    asking = [];
    const known = await session.known(files.map(keyOf));
    const settled: TreeFile[] = [];
    for (const file of files) {
      if (known.has(keyOf(file))) continue;
      if (filesAppearWhole || settling.isSettled(file)) settled.push(file);
      else settling.wait(file);
    }
    settled.sort((a, b) => (a.modifiedAt?.getTime() ?? 0) - (b.modifiedAt?.getTime() ?? 0));
    yield* pages(settled);
    if (settling.isFull) yield* lookAgain();
  }
  async function* lookAgain(): AsyncGenerator<SourcePage<WalkCursor>> {
    for await (const settled of settling.lookAgain(tree, leave)) yield* pages(settled);
  }

  for (const root of choice.folders) {
    const open = [root];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      try {
        for await (const entries of tree.list(folder)) {
          session.signal.throwIfAborted();
          for (const entry of entries) {
            if (entry.kind === 'folder') {
              const isUnchanged = entry.version !== undefined && cursor.folders[entry.path] === entry.version;
              if (!isUnchanged) open.push(entry.path);
              else for (const each of remembered(cursor, entry.path)) remember(...each);
              if (entry.version !== undefined) remember(entry.path, entry.version);
            } else if (choice.isInTime(entry)) {
              if (entry.size !== 0 && choice.wants(entry.path, root)) asking.push(entry);
              else if (isNews(entry, walked)) filtered += 1;
            }
          }
          if (asking.length >= ASK) yield* ask();
        }
        lastWell = folder;
        sickInARow = 0;
      } catch (error) {
        session.signal.throwIfAborted();
        if (isSick(error)) {
          leave(folder, error);
          isRootSick ||= folder === root;
          if (++sickInARow % SICK_IN_A_ROW === 0 && (await isAway(tree, lastWell))) {
            yield* ask();
            throw error;
          }
        } else if (error instanceof ConfigurationGone) {
          // Below a chosen folder, one that vanished or is closed to the user is simply not there.
          if (folder === root) gone ??= error;
          else reopen(folder);
        } else throw error;
      }
    }
  }
  if (asking.length > 0) yield* ask();
  yield* lookAgain();
  session.signal.throwIfAborted();
  const failure = gone ?? sick;
  if (failure && isRootSick) throw failure;

  const last = { walked: began.toISOString(), choice: choice.digest };
  // Known folders may hold what a missing one would have shown.
  yield { documents: [], filtered, cursor: { ...last, folders: gone ? {} : Object.fromEntries(folders) } };
  if (failure) throw failure;
}

/** Only what came or was changed since the last walk is counted again. */
function isNews({ modifiedAt }: TreeFile, walked: number | null): boolean {
  return walked === null || (modifiedAt !== undefined && modifiedAt.getTime() >= walked);
}

function remembered(cursor: WalkCursor, folder: string): [string, string][] {
  return Object.entries(cursor.folders).filter(([path]) => isBelow(path, folder));
}
