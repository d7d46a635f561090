import type { ImapFlow, ListResponse } from 'imapflow';
import list from 'imapflow/lib/commands/list.js';
import type { ImapSelection } from './fields';

/** Left out unless they are selected themselves: nothing in them was received and kept. */
const LEFT_OUT: readonly (string | undefined)[] = ['\\Drafts', '\\Junk', '\\Trash'];
/** Repeats the mails of other folders (RFC 6154). Read last, so that documents get the path of the folder that they are in. */
const ALL_MAIL = '\\All';

/**
 * The selection with the folders that it covers now: also those below the selected ones, or all. Listed by every fetch, so that new
 * folders are found.
 */
export async function withCoveredFolders(client: ImapFlow, selection: ImapSelection): Promise<ImapSelection> {
  const { coverage } = selection;
  const listed = await list(client, '', '*');
  const special = listed.filter(({ specialUse }) => LEFT_OUT.includes(specialUse));
  // Every mailbox has an inbox (RFC 9051 section 5.1).
  const selected = coverage === 'ALL' ? ['INBOX'] : selection.folders;
  const isLeftOut = (folder: ListResponse) => special.some(({ path }) => folder.path === path || isBelow(folder, path));
  /** Below a selected folder, only what is left out between the two counts: `Trash` itself may be selected. */
  const isBelowSelected = (folder: ListResponse, path: string) =>
    isBelow(folder, path) &&
    !special.some((each) => isBelow(each, path) && (folder.path === each.path || isBelow(folder, each.path)));
  const found = listed
    .filter((folder) => !folder.flags.has('\\Noselect') && !selected.includes(folder.path))
    .filter((folder) =>
      coverage === 'ALL' ? !isLeftOut(folder) : selected.some((path) => isBelowSelected(folder, path)),
    )
    .sort((one, other) => Number(one.specialUse === ALL_MAIL) - Number(other.specialUse === ALL_MAIL))
    .map(({ path }) => path);
  return { ...selection, folders: [...selected, ...found], found: new Set(found) };
}

/** Without a delimiter, the server has no folders within folders. */
const isBelow = ({ path, delimiter }: ListResponse, parent: string): boolean =>
  Boolean(delimiter) && path.startsWith(`${parent}${delimiter}`);
