import type { SourcePage, Json } from '../core/source-document';
import { SelectionNotFound, CursorInvalid } from '../core/source-errors';
import { GraphClient, type GraphPage } from '../shared/microsoft/graph-client';
import { filterKnown, type Verdict } from '../shared/tree-sync/selection/dedupe-filter';
import { DriveApi, type DriveItem, isUnreadable } from './drive-api';
import { MicrosoftDriveSelection, reference } from './drive-selection';
import { DriveTree, type MicrosoftDriveEntry, type MicrosoftDriveRoot } from './drive-tree';
import { addressOf, type DriveSession } from './fields';
import { KnownFolders } from './known-folders';

/** Where a drive's list of changes goes on. */
type DrivePosition = {
  readonly link: string;
  /** Until everything has been named once. */
  readonly isFirst: boolean;
};

/** Where the next listing goes on. */
export type DriveCursor = {
  /** For which choice it holds. */
  readonly choice: string;
  /** By the drive's id. */
  readonly drives: { readonly [driveId: string]: DrivePosition };
  /** `KnownFolders`. */
  readonly folders: string;
};

interface SelectedRoots {
  readonly places: Map<string, MicrosoftDriveRoot[]>;
  /** What kept a chosen folder from being read. */
  readonly failure: Error | undefined;
}

/**
 * First everything that is in the chosen drives (lists of changes begin with it, and it is the only way that Microsoft
 * promises to be complete), then what changes. A list that Graph no longer knows begins anew; what is known is not read again.
 * Throws `SelectionNotFound` or `PermissionMissing` for a chosen folder that cannot be read, after all others are done.
 */
export async function* listDocuments(
  session: DriveSession,
  stored: Json,
  startdate: string | null,
): AsyncGenerator<SourcePage<DriveCursor>> {
  session.signal.throwIfAborted();
  const api = new DriveApi(new GraphClient(session));
  const selection = new MicrosoftDriveSelection(session, startdate);
  const before = stored as DriveCursor | null;
  const goesOn = before?.choice === selection.digest;
  const known = new KnownFolders(goesOn ? before.folders : '');
  const { places, failure } = await chosenPlaces(api, selection, known);
  const kept = goesOn ? Object.entries(before.drives).filter(([id]) => places.has(id)) : [];
  const positions = new Map<string, DrivePosition>(kept);
  const cursor = (): DriveCursor => ({
    choice: selection.digest,
    drives: Object.fromEntries(positions),
    folders: known.toString(),
  });

  let failed = failure;
  for (const [driveId, roots] of places) {
    const tree = new DriveTree(api, driveId, roots, known);
    try {
      for await (const { found, position } of drive(api, tree, roots, known, positions.get(driveId))) {
        // As it was before this step: a folder counts as gone through once all that is in it has been shown.
        const left = yield* filterKnown(session, found, judge(selection, driveId), cursor());
        if (position) positions.set(driveId, position);
        yield { documents: [], filtered: position ? left : 0, cursor: cursor() };
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      failed ??= error;
    }
  }
  yield { documents: [], cursor: cursor() };
  if (failed) throw failed;
}

interface DriveStep {
  readonly found: AsyncIterable<readonly MicrosoftDriveEntry[]>;
  /** Where to go on once these have been looked at. Absent for folders that were gone through beside the list. */
  readonly position?: DrivePosition;
}

/** One drive, page by page. */
async function* drive(
  api: DriveApi,
  tree: DriveTree,
  roots: readonly MicrosoftDriveRoot[],
  known: KnownFolders,
  before: DrivePosition | undefined,
): AsyncGenerator<DriveStep> {
  const beginning: DrivePosition = { link: api.everything(tree.driveId), isFirst: true };
  let at = before ?? beginning;
  let isAnew = before === undefined;
  for (let isLast = false; !isLast;) {
    if (at.isFirst) for (const { id } of roots) known.add(id);
    const added = roots.filter(({ id }) => !known.has(id)); // it was gone for a while
    if (added.length > 0) yield { found: tree.below(added) };
    const page = await pageAt(api, at.link);
    if (page instanceof CursorInvalid) {
      if (isAnew) throw page;
      isAnew = true;
      at = beginning;
    } else if (page instanceof Error) {
      if (at.link !== beginning.link) throw page;
      // Somebody shares a folder in a drive that is not the user's to see as a whole.
      yield { found: tree.below(roots) };
      return;
    } else {
      const { isFirst } = at;
      isLast = page.next === undefined;
      at = { link: page.next ?? page.delta!, isFirst: isFirst && !isLast };
      yield { found: tree.changed(page.value, isFirst), position: at };
    }
  }
}

function pageAt(api: DriveApi, link: string): Promise<GraphPage<DriveItem> | Error> {
  return api.changes(link).catch((error: unknown): Error => {
    if (error instanceof CursorInvalid || isUnreadable(error)) return error;
    throw error;
  });
}

async function chosenPlaces(
  api: DriveApi,
  selection: MicrosoftDriveSelection,
  known: KnownFolders,
): Promise<SelectedRoots> {
  const places = new Map<string, MicrosoftDriveRoot[]>();
  let failure: Error | undefined;
  for (const chosen of selection.folders) {
    const address = addressOf(chosen);
    if (address === null) continue;
    try {
      const folder = await api.folder(address);
      if (!folder) {
        if (typeof address === 'object') known.delete(address.id);
        throw new SelectionNotFound('A chosen folder is not there.');
      }
      const others = places.get(folder.driveId) ?? [];
      if (!others.some(({ id }) => id === folder.id)) others.push({ id: folder.id, path: '' });
      places.set(folder.driveId, others);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      failure ??= error;
    }
  }
  return { places, failure };
}

const judge =
  (selection: MicrosoftDriveSelection, driveId: string) =>
  ({ file, path }: MicrosoftDriveEntry): Verdict => {
    if (!selection.isInTime(file)) return 'ignored';
    return selection.wants(file, path) ? reference(driveId, file, path) : 'unwanted';
  };
