import { NOTHING_FILTERED } from '../core/filter-reason';
import type { SourcePage, Json } from '../core/source-document';
import { SelectionNotFound, CursorInvalid } from '../core/source-errors';
import { GraphClient, type GraphPage } from '../shared/microsoft/graph-client';
import { filterKnown, type Verdict } from '../shared/tree-sync/selection/dedupe-filter';
import { DriveApi, type DriveItem, isUnreadable } from './drive-api';
import { MicrosoftDriveSelection, reference } from './drive-selection';
import { DriveTree, type MicrosoftDriveEntry, type MicrosoftDriveRoot } from './drive-tree';
import { addressOf, type DriveSession } from './fields';
import { KnownFolders } from './known-folders';

/** The position in a drive's change list. */
type DrivePosition = {
  readonly link: string;
  /** True until all items have been listed once. */
  readonly isFirst: boolean;
};

/** The cursor of a listing. */
export type DriveCursor = {
  /** The digest of the selection that it belongs to. */
  readonly selection: string;
  /** The position in each drive, by its id. */
  readonly drives: { readonly [driveId: string]: DrivePosition };
  /** `KnownFolders`. */
  readonly folders: string;
};

interface SelectedRoots {
  readonly places: Map<string, MicrosoftDriveRoot[]>;
  /** The error of a selected folder that could not be read. */
  readonly failure: Error | undefined;
}

/**
 * Lists all items of the selected drives (the beginning of change lists, and the only listing that Microsoft documents as
 * complete), then the changes. When Graph no longer knows a position, the drive is listed again without the known files.
 * Throws `SelectionNotFound` or `PermissionMissing` for a selected folder that cannot be read, after all others are processed.
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
  const isResumed = before?.selection === selection.digest;
  const known = new KnownFolders(isResumed ? before.folders : '');
  const { places, failure } = await selectedRoots(api, selection, known);
  const kept = isResumed ? Object.entries(before.drives).filter(([id]) => places.has(id)) : [];
  const positions = new Map<string, DrivePosition>(kept);
  const cursor = (): DriveCursor => ({
    selection: selection.digest,
    drives: Object.fromEntries(positions),
    folders: known.toString(),
  });

  let failed = failure;
  for (const [driveId, roots] of places) {
    const tree = new DriveTree(api, driveId, roots, known);
    try {
      for await (const { found, position } of drive(api, tree, roots, known, positions.get(driveId))) {
        // The cursor before this step: a folder is marked as listed after all its files were yielded.
        const left = yield* filterKnown(session, found, classify(selection, driveId), cursor());
        if (position) positions.set(driveId, position);
        yield { documents: [], filteredBy: position ? left : NOTHING_FILTERED, cursor: cursor() };
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
  /** The position after these files. Absent for folders that are listed in addition to the change list. */
  readonly position?: DrivePosition;
}

/** Lists one drive, page by page. */
async function* drive(
  api: DriveApi,
  tree: DriveTree,
  roots: readonly MicrosoftDriveRoot[],
  known: KnownFolders,
  before: DrivePosition | undefined,
): AsyncGenerator<DriveStep> {
  const beginning: DrivePosition = { link: api.everything(tree.driveId), isFirst: true };
  let at = before ?? beginning;
  let hasRestarted = before === undefined;
  for (let isLast = false; !isLast;) {
    if (at.isFirst) for (const { id } of roots) known.add(id);
    const added = roots.filter(({ id }) => !known.has(id)); // it was missing before
    if (added.length > 0) yield { found: tree.below(added) };
    const page = await pageAt(api, at.link);
    if (page instanceof CursorInvalid) {
      if (hasRestarted) throw page;
      hasRestarted = true;
      at = beginning;
    } else if (page instanceof Error) {
      if (at.link !== beginning.link) throw page;
      // A folder that is shared from a drive to which the user has no other access.
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

async function selectedRoots(
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
        throw new SelectionNotFound('A selected folder does not exist.');
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

const classify =
  (selection: MicrosoftDriveSelection, driveId: string) =>
  ({ file, path }: MicrosoftDriveEntry): Verdict =>
    selection.exclusion(file, path) ?? reference(driveId, file, path);
