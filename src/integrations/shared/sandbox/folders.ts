import type { FieldOption } from '../../core/field';
import type { BehaviorFields } from './fields';

/** The portal's folders, generated on demand; their ids are paths. Includes wide and deep levels and a node that cannot be selected. */

const FIRST_YEAR = 1998;
const WIDE = 1_000;
const DEPTH = 30;

/** The folder of the documents, and its new name in the scenario `folder_gone`. */
export const GONE_FOLDER = 'inbox';
const RENAMED_FOLDER = 'inbox-new';
const INBOX: FieldOption = {
  value: GONE_FOLDER,
  label: { en: 'Inbox', de: 'Posteingang' },
  hasChildren: true,
};
const RENAMED: FieldOption = {
  value: RENAMED_FOLDER,
  label: { en: 'Inbox (renamed)', de: 'Posteingang (umbenannt)' },
  hasChildren: true,
};

/** The names under which the portal lists the inbox. When the scenario starts with a fetch, it is unknown here whether it has started. */
export function inboxes({ scenario, fails_from }: Pick<BehaviorFields, 'scenario' | 'fails_from'>): FieldOption[] {
  if (scenario !== 'folder_gone') return [INBOX];
  return fails_from === 'setup' ? [RENAMED] : [INBOX, RENAMED];
}

/** The first level. */
export function topLevel(inbox: readonly FieldOption[] = [INBOX]): FieldOption[] {
  return [
    ...inbox,
    { value: 'archive', label: { en: 'Archive (1,000 folders)', de: 'Archiv (1.000 Ordner)' }, hasChildren: true },
    { value: 'nested', label: { en: 'Nested folders', de: 'Verschachtelte Ordner' }, hasChildren: true },
    { value: 'shared', label: { en: 'Shared folders', de: 'Geteilte Ordner' }, hasChildren: true, selectable: false },
  ];
}

/** The folders in `parent`; empty for a leaf, null when it does not exist. `today` is `YYYY-MM-DD`. */
export function childrenOf(parent: string, today: string): FieldOption[] | null {
  if (!folderExists(parent, today)) return null;
  const path = parent.split('/');
  const child = (name: string, label: FieldOption['label'], hasChildren: boolean): FieldOption => ({
    value: `${parent}/${name}`,
    label,
    hasChildren,
  });
  switch (path[0]) {
    case GONE_FOLDER:
    case RENAMED_FOLDER:
      if (path.length === 1) return years(today).map((year) => child(year, year, true));
      return path.length === 2 ? MONTHS.map((month) => child(month, `${path[1]}-${month}`, false)) : [];
    case 'archive':
      if (path.length > 1) return [];
      return numbers(WIDE, 4).map((name) => child(name, { en: `Folder ${name}`, de: `Ordner ${name}` }, false));
    case 'nested':
      if (path.length > DEPTH) return [];
      return numbers(3, 1).map((name) => {
        const label = [...path.slice(1), name].join('.');
        return child(name, { en: `Level ${label}`, de: `Ebene ${label}` }, path.length < DEPTH);
      });
    default:
      if (path.length > 1) return [];
      return [
        child('buero', { en: 'Office & accounting', de: 'Büro & Buchhaltung' }, false),
        child('einkauf', { en: 'Purchasing', de: 'Einkauf' }, false),
      ];
  }
}

/**
 * The folder with this id; null when it does not exist. The inbox is always found by its new name, so that a selection of it stays
 * valid in every scenario.
 */
export function findFolder(id: string, today: string): FieldOption | null {
  const slash = id.lastIndexOf('/');
  const siblings = slash < 0 ? topLevel([INBOX, RENAMED]) : childrenOf(id.slice(0, slash), today);
  return siblings?.find((option) => option.value === id) ?? null;
}

/** Whether the portal has this folder. */
export function folderExists(id: string, today: string): boolean {
  return findFolder(id, today) !== null;
}

/** The folder of a document of this day: `inbox/2025/12`. */
export function folderOf(date: string): string {
  return `inbox/${date.slice(0, 4)}/${date.slice(5, 7)}`;
}

/** Whether a folder is selected: it is one of `chosen`, under either name of the inbox, or below one. */
export function isChosen(folder: string, chosen: readonly string[]): boolean {
  return isWithin(
    folder,
    chosen.map((root) => (isWithin(root, [RENAMED_FOLDER]) ? root.replace(RENAMED_FOLDER, GONE_FOLDER) : root)),
  );
}

/** Whether a folder is one of `roots` or below one. */
export function isWithin(folder: string, roots: readonly string[]): boolean {
  return roots.some((root) => folder === root || folder.startsWith(`${root}/`));
}

function numbers(count: number, digits: number): string[] {
  return Array.from({ length: count }, (_, i) => String(i + 1).padStart(digits, '0'));
}

const MONTHS = numbers(12, 2);

function years(today: string): string[] {
  const latest = Number(today.slice(0, 4));
  return Array.from({ length: Math.max(0, latest - FIRST_YEAR + 1) }, (_, i) => String(latest - i));
}
