import type { FieldOption } from '../core/field';
import { SelectionNotFound } from '../core/source-errors';
import type { BoxApi } from './box-api';
import { ALL_FILES } from './fields';

const ALL: FieldOption = { value: ALL_FILES, label: { en: 'All files', de: 'Alle Dateien' }, hasChildren: true };
/** The maximum number of folders shown at one level. */
const MOST_FOLDERS = 5_000;

/** One level of the tree: the root folder, or the folders in `parent`. Shared folders are at the top level. */
export async function listFolders(api: BoxApi, parent?: string): Promise<FieldOption[]> {
  if (parent === undefined) return [ALL];
  const options: (FieldOption & { readonly label: string })[] = [];
  for (let marker: string | undefined; ;) {
    const page = await api.items(parent, marker);
    for (const item of page.entries) {
      if (item.type === 'folder') options.push({ value: item.id, label: item.name, hasChildren: true });
    }
    marker = page.next_marker ?? '';
    if (marker === '' || options.length >= MOST_FOLDERS) break;
  }
  return options.sort((a, b) => a.label.localeCompare(b.label, 'de', { numeric: true }));
}

/** The folders with these ids, null for missing ones. Labels are full paths, because a selected folder is shown without its tree. */
export async function findFolders(api: BoxApi, ids: readonly string[]): Promise<(FieldOption | null)[]> {
  return Promise.all(
    ids.map(async (id) => {
      if (id === ALL_FILES) return ALL;
      if (!/^\d+$/.test(id)) return null;
      try {
        const { name, path_collection: above } = await api.folder(id);
        const names = above.entries.filter((folder) => folder.id !== ALL_FILES).map((folder) => folder.name);
        return { value: id, label: [...names, name].join('/') };
      } catch (error) {
        if (error instanceof SelectionNotFound) return null;
        throw error;
      }
    }),
  );
}
