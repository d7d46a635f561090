import type { FieldOption } from '../field';
import { ConfigurationGone } from '../source-errors';
import { type DriveApi, type DriveFile, FOLDER, quoted } from './drive-api';
import { MY_DRIVE } from './fields';

const OWN: FieldOption = { value: MY_DRIVE, label: { en: 'My Drive', de: 'Meine Ablage' }, hasChildren: true };
/** What a tree shows of one folder. */
const MOST_FOLDERS = 5_000;

/** One level of the tree: the user's own drive and the shared drives, or the folders in `parent`. */
export async function listFolders(api: DriveApi, parent?: string): Promise<FieldOption[]> {
  if (parent === undefined) {
    const drives = await api.drives();
    return [OWN, ...sorted(drives.map(({ id, name }) => ({ value: id, label: name, hasChildren: true })))];
  }
  const { id, driveId } = await api.file(parent);
  const options: (FieldOption & { readonly label: string })[] = [];
  const q = `${quoted(id)} in parents and mimeType = '${FOLDER}' and trashed = false`;
  for await (const folders of api.list(q, driveId)) {
    options.push(...folders.map((folder) => ({ value: folder.id, label: folder.name, hasChildren: true })));
    if (options.length >= MOST_FOLDERS) break;
  }
  return sorted(options);
}

/** The folders with these ids, null for each that is not there. The labels are whole paths, because a chosen folder is shown without its tree. */
export async function findFolders(api: DriveApi, ids: readonly string[]): Promise<(FieldOption | null)[]> {
  const isOwn = ids.every((id) => id === MY_DRIVE);
  const drives = new Map(isOwn ? [] : (await api.drives()).map(({ id, name }) => [id, name]));
  return Promise.all(
    ids.map(async (id) => {
      if (id === MY_DRIVE) return OWN;
      const folder = await ifThere(api, id);
      if (folder?.mimeType !== FOLDER || folder.trashed) return null;
      return { value: id, label: await pathOf(api, drives, folder) };
    }),
  );
}

async function pathOf(api: DriveApi, drives: ReadonlyMap<string, string>, folder: DriveFile): Promise<string> {
  const names: string[] = [];
  for (let at: DriveFile | null = folder; at; at = at.parents ? await ifThere(api, at.parents[0]!) : null) {
    const isTop = !at.parents && at.driveId === undefined && names.length > 0;
    if (!isTop) names.unshift(drives.get(at.id) ?? at.name); // the user's own drive needs no name
  }
  return names.join('/');
}

async function ifThere(api: DriveApi, id: string): Promise<DriveFile | null> {
  try {
    return await api.file(id);
  } catch (error) {
    if (error instanceof ConfigurationGone) return null;
    throw error;
  }
}

const sorted = (options: (FieldOption & { readonly label: string })[]): FieldOption[] =>
  options.sort((a, b) => a.label.localeCompare(b.label, 'de', { numeric: true }));
