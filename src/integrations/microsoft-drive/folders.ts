import type { FieldOption } from '../core/field';
import { PermissionMissing } from '../core/source-errors';
import type { DriveApi, DriveItem, Library, Site } from './drive-api';
import { type DriveItemAddress, addressOf, OWN, SHAREPOINT, valueOf } from './fields';

/** The maximum number of folders shown at one level. */
const MAX_FOLDERS = 5_000;
const SITE = 'site:';

const OWN_DRIVE: FieldOption = { value: OWN, label: 'OneDrive', hasChildren: true };
const ALL_SITES: FieldOption = {
  value: SHAREPOINT,
  label: {
    en: 'SharePoint and Teams (select libraries after you have given consent)',
    de: 'SharePoint und Teams (Bibliotheken nach Ihrer Zustimmung auswählen)',
  },
  hasChildren: true,
};

type Named = FieldOption & { readonly label: string };

/** One level of the tree: the user's own drive and SharePoint, sites, their libraries, or the folders in one of these. */
export async function listFolders(api: DriveApi, parent?: string): Promise<FieldOption[]> {
  if (parent === undefined) return [OWN_DRIVE, ALL_SITES];
  if (parent === SHAREPOINT) return sites(api);
  if (parent.startsWith(SITE))
    return sorted((await api.libraries(parent.slice(SITE.length), MAX_FOLDERS)).map(libraryOption));
  const address = addressOf(parent);
  return address === null ? [] : foldersIn(api, address);
}

/** The folders with these values, null for missing ones. Labels are full paths, because a selected folder is shown without its tree. */
export function findFolders(api: DriveApi, values: readonly string[]): Promise<(FieldOption | null)[]> {
  return Promise.all(
    values.map(async (value) => {
      if (value === OWN) return OWN_DRIVE;
      if (value === SHAREPOINT) return ALL_SITES;
      const address = addressOf(value);
      if (address === null || address === OWN) return null;
      const folder = await api.folder(address);
      return folder && { value, label: await pathOf(api, address, folder) };
    }),
  );
}

/** The sites; none before the user has consented. */
async function sites(api: DriveApi): Promise<FieldOption[]> {
  try {
    const option = ({ id, displayName, name }: Site): Named => ({
      value: SITE + id,
      label: displayName ?? name ?? id,
      hasChildren: true,
      selectable: false,
    });
    return sorted((await api.sites(MAX_FOLDERS)).map(option));
  } catch (error) {
    if (error instanceof PermissionMissing) return [];
    throw error;
  }
}

async function foldersIn(api: DriveApi, address: NonNullable<ReturnType<typeof addressOf>>): Promise<FieldOption[]> {
  const isSharePoint = address !== OWN && address.isSharePoint;
  const folder = await api.folder(address);
  if (!folder) return [];
  const options: Named[] = [];
  for await (const items of api.children(folder)) {
    options.push(...items.flatMap((item) => folderOption(item, folder.driveId, isSharePoint)));
    if (options.length >= MAX_FOLDERS) break;
  }
  return sorted(options);
}

/** The option of a folder, or of a shortcut to one in another drive or library. */
function folderOption(item: DriveItem, driveId: string, isSharePoint: boolean): Named[] {
  const { id, name = id, folder, package: box, remoteItem } = item;
  const [elsewhere, there] = [remoteItem?.parentReference?.driveId, remoteItem?.id];
  if (remoteItem?.folder && elsewhere !== undefined && there !== undefined) {
    return [{ value: valueOf({ driveId: elsewhere, id: there }, false), label: name, hasChildren: true }];
  }
  if (!folder || box || remoteItem) return [];
  return [{ value: valueOf({ driveId, id }, isSharePoint), label: name, hasChildren: folder.childCount !== 0 }];
}

const libraryOption = ({ id, name }: Library): Named => ({
  value: valueOf({ driveId: id, id: 'root' }, true),
  label: name,
  hasChildren: true,
});

/** The path of a folder, with the name of the site, because libraries have the same names on every site. */
async function pathOf(
  api: DriveApi,
  { driveId, isSharePoint }: DriveItemAddress & { readonly isSharePoint: boolean },
  { name, root, parentReference }: DriveItem,
): Promise<string> {
  const above = decoded(parentReference?.path?.split('root:')[1] ?? '').split('/');
  const own = root ? [] : [...above, name ?? ''];
  const library = isSharePoint ? await api.library(driveId) : null;
  const site = decoded(/\/(?:sites|teams)\/([^/]+)/.exec(library?.webUrl ?? '')?.[1] ?? '');
  const names = [site, library?.name ?? '', ...own].filter((each) => each !== '');
  return names.join('/') || 'OneDrive';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const sorted = (options: Named[]): FieldOption[] =>
  options.sort((a, b) => a.label.localeCompare(b.label, 'de', { numeric: true }));
