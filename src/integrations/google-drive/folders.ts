import type { FieldOption } from '../core/field';
import { type DriveApi, type DriveFile, FOLDER, quoted, SHORTCUT } from './drive-api';
import { MY_DRIVE, SHARED_WITH_ME } from './fields';

const OWN: FieldOption = { value: MY_DRIVE, label: { en: 'My Drive', de: 'Meine Ablage' }, hasChildren: true };
const SHARED: FieldOption = {
  value: SHARED_WITH_ME,
  label: { en: 'Shared with me', de: 'Für mich freigegeben' },
  hasChildren: true,
};
/** The maximum number of folders shown at one level. */
const MOST_FOLDERS = 5_000;

/**
 * One level of the tree: the user's own drive, shared items and the shared drives, or the folders in `parent`, including the
 * targets of shortcuts.
 */
export async function listFolders(api: DriveApi, parent?: string): Promise<FieldOption[]> {
  if (parent === undefined) {
    const drives = await api.drives();
    return [OWN, SHARED, ...sorted(drives.map(({ id, name }) => ({ value: id, label: name, hasChildren: true })))];
  }
  const { id, driveId } = parent === SHARED_WITH_ME ? { id: parent } : await api.file(parent);
  const options = new Map<string, FieldOption & { readonly label: string }>();
  const within = parent === SHARED_WITH_ME ? 'sharedWithMe = true' : `${quoted(id)} in parents`;
  const q = `${within} and (mimeType = '${FOLDER}' or mimeType = '${SHORTCUT}') and trashed = false`;
  for await (const files of api.list(q, driveId)) {
    for (const file of files) {
      const value = file.mimeType === FOLDER ? file.id : targetFolder(file);
      if (value !== undefined) options.set(value, { value, label: file.name, hasChildren: true });
    }
    if (options.size >= MOST_FOLDERS) break;
  }
  return sorted([...options.values()]);
}

/** The folders with these ids, null for missing ones. Labels are full paths, because a selected folder is shown without its tree. */
export async function findFolders(api: DriveApi, ids: readonly string[]): Promise<(FieldOption | null)[]> {
  const isOwn = ids.every((id) => id === MY_DRIVE || id === SHARED_WITH_ME);
  const drives = new Map(isOwn ? [] : (await api.drives()).map(({ id, name }) => [id, name]));
  return Promise.all(
    ids.map(async (id) => {
      if (id === MY_DRIVE) return OWN;
      if (id === SHARED_WITH_ME) return SHARED;
      const folder = await api.fileOrNull(id);
      if (folder?.mimeType !== FOLDER || folder.trashed) return null;
      return { value: id, label: await pathOf(api, drives, folder) };
    }),
  );
}

async function pathOf(api: DriveApi, drives: ReadonlyMap<string, string>, folder: DriveFile): Promise<string> {
  const names: string[] = [];
  for (let at: DriveFile | null = folder; at; at = at.parents ? await api.fileOrNull(at.parents[0]!) : null) {
    const isTop = !at.parents && at.driveId === undefined && !at.sharedWithMeTime && names.length > 0;
    if (!isTop) names.unshift(drives.get(at.id) ?? at.name); // the root of the user's own drive is omitted
  }
  return names.join('/');
}

const targetFolder = ({ shortcutDetails }: DriveFile): string | undefined =>
  shortcutDetails?.targetMimeType === FOLDER ? shortcutDetails.targetId : undefined;

const sorted = (options: (FieldOption & { readonly label: string })[]): FieldOption[] =>
  options.sort((a, b) => a.label.localeCompare(b.label, 'de', { numeric: true }));
