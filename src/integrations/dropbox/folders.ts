import type { FieldOption } from '../core/field';
import { SelectionNotFound } from '../core/source-errors';
import type { DropboxApi, Entry } from './dropbox-api';
import { ROOT } from './fields';

const ALL: FieldOption = { value: ROOT, label: { en: 'Dropbox', de: 'Dropbox' }, hasChildren: true };
/** The maximum number of folders shown at one level. */
const MOST_FOLDERS = 5_000;

/** One level of the tree: the root folder, or the folders in `parent`. Team folders are at the top level. */
export async function listFolders(api: DropboxApi, parent?: string): Promise<FieldOption[]> {
  if (parent === undefined) return [ALL];
  const options: (FieldOption & { readonly label: string })[] = [];
  let page = await api.list(parent === ROOT ? '' : parent, false);
  for (;;) {
    for (const entry of page.entries) {
      if (entry['.tag'] !== 'folder' || entry.sharing_info?.no_access) continue;
      options.push({ value: entry.id, label: entry.name, hasChildren: true });
    }
    const next = page.has_more && options.length < MOST_FOLDERS ? await api.nextPage(page.cursor) : null;
    if (next === null) return options.sort((a, b) => a.label.localeCompare(b.label, 'de', { numeric: true }));
    page = next;
  }
}

/** The folders with these ids, null for missing ones. Labels are full paths, because a selected folder is shown without its tree. */
export async function findFolders(api: DropboxApi, ids: readonly string[]): Promise<(FieldOption | null)[]> {
  return Promise.all(
    ids.map(async (id) => {
      if (id === ROOT) return ALL;
      const folder = await folderOf(api, id);
      return folder && { value: id, label: folder.path };
    }),
  );
}

/** The path of a folder without the leading `/`, empty for the root. Null when it does not exist or the user has no access. */
export async function folderOf(api: DropboxApi, id: string): Promise<{ readonly path: string } | null> {
  if (id === ROOT) return { path: '' };
  if (!/^id:[\w-]+$/.test(id)) return null;
  try {
    const entry: Entry = await api.metadata(id);
    const isAccessible = entry['.tag'] === 'folder' && !entry.sharing_info?.no_access && entry.path_display;
    return isAccessible ? { path: entry.path_display.replace(/^\//, '') } : null;
  } catch (error) {
    if (error instanceof SelectionNotFound) return null;
    throw error;
  }
}
