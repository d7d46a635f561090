import type { FieldOption } from '../core/field';
import { PermissionMissing } from '../core/source-errors';
import { type OutlookFolderRef, INBOX, parseFolderRef, valueOf } from './fields';
import type { MailApi, MailFolder } from './mail-api';

/** The maximum depth of folders. */
const MAX_DEPTH = 50;
/** Graph's well-known name of the root folder. */
const TOP = 'msgfolderroot';

const INBOX_LABEL = { en: 'Inbox', de: 'Posteingang' };

/** Looks up folders by id, each only once. */
export class OutlookFolders {
  private readonly asked = new Map<string, Promise<MailFolder | null>>();

  constructor(private readonly api: MailApi) {}

  /** One level of the tree: the user's own folders and the shared mailboxes, the top-level folders of one, or those in a folder. */
  async level(mailboxes: readonly string[], parent?: string): Promise<FieldOption[]> {
    if (parent === undefined) return [...(await this.options(null)), ...mailboxes.map(mailboxOption)];
    if (parent.includes('@') && !parent.includes('/')) return orIfForbidden(() => this.options(parent), []);
    const place = parseFolderRef(parent);
    return place === null ? [] : orIfForbidden(() => this.options(place.mailbox, place.id), []);
  }

  /** The option of a value; null when it does not exist. Its label is the full path. */
  async find(value: string): Promise<FieldOption | null> {
    const place = parseFolderRef(value);
    if (place === null) return null;
    if (place.mailbox === null && place.id === INBOX) return { value, label: INBOX_LABEL };
    const path = await orIfForbidden(() => this.pathOf(place), null);
    return path === null ? null : { value, label: path };
  }

  /** The path of a folder in the mailbox's language, with the address of a shared mailbox; null when it does not exist. */
  async pathOf(place: OutlookFolderRef): Promise<string | null> {
    const { mailbox } = place;
    const top = await this.folder({ mailbox, id: TOP });
    const names: string[] = [];
    let at = await this.folder(place);
    if (!at) return null;
    for (let depth = 0; at && at.id !== top?.id && depth < MAX_DEPTH; depth++) {
      names.unshift(at.displayName ?? at.id);
      const parent: string | null | undefined = at.parentFolderId;
      at = parent ? await this.folder({ mailbox, id: parent }) : null;
    }
    return [...(mailbox === null ? [] : [mailbox]), ...names].join('/');
  }

  private async options(mailbox: string | null, parent?: string): Promise<FieldOption[]> {
    const [folders, inbox] = await Promise.all([
      this.api.folders(mailbox, parent),
      parent === undefined ? this.folder({ mailbox, id: INBOX }) : null,
    ]);
    const options = folders.map(({ id, displayName, childFolderCount }): FieldOption => {
      const isInbox = id === inbox?.id;
      const value = valueOf({ mailbox, id: isInbox ? INBOX : id });
      return { value, label: isInbox ? INBOX_LABEL : (displayName ?? id), hasChildren: childFolderCount !== 0 };
    });
    return options.sort((a, b) => Number(isInboxOption(b)) - Number(isInboxOption(a)));
  }

  private folder(place: OutlookFolderRef): Promise<MailFolder | null> {
    const key = valueOf(place);
    const known = this.asked.get(key) ?? this.api.folder(place);
    this.asked.set(key, known);
    return known;
  }
}

const isInboxOption = ({ label }: FieldOption): boolean => label === INBOX_LABEL;

const mailboxOption = (address: string): FieldOption => ({
  value: address,
  label: address,
  hasChildren: true,
  selectable: false,
});

/** A shared mailbox is not accessible before the user's consent, or without the owner's permission. */
async function orIfForbidden<T>(read: () => Promise<T>, fallback: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PermissionMissing) return fallback;
    throw error;
  }
}
