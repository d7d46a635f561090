import type { ImapFlow, ListResponse } from 'imapflow';
import list from 'imapflow/lib/commands/list.js';
import type { FieldOption, Localized } from '../../core/field';
import { readNamespace } from '../connection/short-login';

/** Labels of RFC 6154 special uses and of the inbox. */
const SPECIAL_USE: Readonly<Record<string, Localized>> = {
  '\\Inbox': { en: 'Inbox', de: 'Posteingang' },
  '\\Sent': { en: 'Sent', de: 'Gesendet' },
  '\\Drafts': { en: 'Drafts', de: 'Entwürfe' },
  '\\Junk': { en: 'Spam', de: 'Spam' },
  '\\Trash': { en: 'Trash', de: 'Papierkorb' },
  '\\Archive': { en: 'Archive', de: 'Archiv' },
  '\\All': { en: 'All mail', de: 'Alle Nachrichten' },
  '\\Flagged': { en: 'Starred', de: 'Markiert' },
};

/**
 * One level of the folder tree: the first, or the children of `parent` (a path as an option's value has it). `LIST` with `%` asks
 * for one level only, so that the cost does not depend on the total number of folders.
 */
export async function listFolders(client: ImapFlow, parent?: string): Promise<FieldOption[]> {
  const pattern = parent === undefined ? '%' : `${parent}${await delimiterOf(client, parent)}%`;
  const folders = await list(client, '', pattern);
  const level = folders.filter((folder) => parent === undefined || folder.parentPath === parent);
  const options = new Map(level.map((folder) => [folder.path, option(folder)]));
  // Not every server lists the inbox at the first level, but every mailbox has one (RFC 9051 section 5.1).
  const inbox = { value: 'INBOX', label: SPECIAL_USE['\\Inbox'] as Localized, hasChildren: false };
  if (parent === undefined && !options.has('INBOX')) return [inbox, ...options.values()];
  return [...options.values()];
}

/** More selected folders than this are looked up with one listing of all folders instead of one each. */
const MAX_LOOKUPS = 20;

/** The folders with these paths, null for missing ones. Labels are full paths, because a selected folder is shown without its tree. */
export async function findFolders(client: ImapFlow, paths: readonly string[]): Promise<(FieldOption | null)[]> {
  const found = new Map<string, ListResponse>();
  const patterns = paths.length > MAX_LOOKUPS ? ['*'] : paths;
  for (const pattern of patterns) {
    for (const folder of await list(client, '', pattern)) found.set(folder.path, folder);
  }
  return paths.map((path) => {
    const folder = found.get(path);
    if (!folder) return null;
    return { ...option(folder), ...(folder.parentPath ? { label: path } : {}) };
  });
}

async function delimiterOf(client: ImapFlow, path: string): Promise<string> {
  const [folder] = await list(client, '', path, { listOnly: true });
  return folder?.delimiter ?? (await readNamespace(client)) ?? '/';
}

function option({ path, name, flags, specialUse }: ListResponse): FieldOption {
  const childless = flags.has('\\HasNoChildren') || flags.has('\\Noinferiors') || flags.has('\\NoInferiors');
  return {
    value: path,
    label: (specialUse && SPECIAL_USE[specialUse]) || name || path,
    hasChildren: !childless,
    ...(flags.has('\\Noselect') || flags.has('\\NonExistent') ? { selectable: false } : {}),
  };
}
