import { createHash } from 'node:crypto';

export interface FakeAttachment {
  readonly type: 'file' | 'item' | 'reference';
  readonly name: string;
  readonly contentType: string | null;
  readonly content: Buffer;
  readonly isInline: boolean;
}

export interface FakeMail {
  /** The immutable id; the other one changes with the folder. */
  readonly id: string;
  folder: string;
  readonly internetMessageId: string | null;
  readonly subject: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly receivedDateTime: string;
  readonly sentDateTime: string;
  readonly attachments: readonly FakeAttachment[];
  readonly body: { readonly contentType: 'html' | 'text'; readonly content: string };
  isRead: boolean;
}

export interface FakeFolder {
  readonly id: string;
  readonly displayName: string;
  readonly parent: string | null;
}

interface Logged {
  readonly mail: string;
  readonly folder: string;
}
type Given = Partial<Omit<FakeMail, 'id' | 'folder' | 'attachments'>>;

let mailboxes = 0;

/** A mailbox: folders, mails, and the change list of each folder. */
export class MailState {
  readonly folders = new Map<string, FakeFolder>();
  readonly mails = new Map<string, FakeMail>();
  /** The accounts that have access to the mailbox. */
  readonly sharedWith = new Set<string>();
  readonly top: FakeFolder;
  readonly inbox: FakeFolder;
  private readonly number = ++mailboxes;
  private readonly log: Logged[] = [];
  private readonly tokens = new Map<string, { ids: readonly string[]; place: number; select: string | null }>();
  private ids = 0;

  constructor() {
    this.top = this.addFolder('Oberste Ebene des Informationsspeichers', null);
    this.addFolder('Archiv', this.top.id);
    this.inbox = this.addFolder('Posteingang', this.top.id);
  }

  /** The folder at a path below the root; missing folders are created. */
  folder(path: string): FakeFolder {
    let at = this.top;
    for (const name of path.split('/')) {
      const known = [...this.folders.values()].find((each) => each.parent === at.id && each.displayName === name);
      at = known ?? this.addFolder(name, at.id);
    }
    return at;
  }

  /** A mail with attachments: PDFs of these names, or the given files. */
  deliver(attachments: readonly (string | Partial<FakeAttachment>)[], more: Given = {}, folder = this.inbox): FakeMail {
    const n = ++this.ids;
    const id = `AAkALg${this.number}x${String(n).padStart(6, '0')}=`;
    const mail: FakeMail = {
      internetMessageId: `<${this.number}.${n}@supplier.example>`,
      subject: 'Ihre Rechnung',
      from: { name: 'Müller & Söhne', address: 'billing@supplier.example' },
      receivedDateTime: '2026-11-02T08:00:00Z',
      sentDateTime: '2026-11-02T07:59:00Z',
      body: { contentType: 'html', content: '<html><body>Sehr geehrte Damen und Herren</body></html>' },
      isRead: false,
      ...more,
      id,
      folder: folder.id,
      attachments: attachments.map((each) => attachment(each, id)),
    };
    this.mails.set(mail.id, mail);
    this.log.push({ mail: mail.id, folder: folder.id });
    return mail;
  }

  /** The same mail in another mailbox or folder. */
  copy(mail: FakeMail, folder = this.inbox): FakeMail {
    const { attachments, ...rest } = mail;
    return this.deliver(attachments, rest, folder);
  }

  move(mail: FakeMail, folder: FakeFolder): void {
    this.log.push({ mail: mail.id, folder: mail.folder }, { mail: mail.id, folder: folder.id });
    mail.folder = folder.id;
  }

  read(mail: FakeMail): void {
    mail.isRead = true;
    this.log.push({ mail: mail.id, folder: mail.folder });
  }

  remove(mail: FakeMail): void {
    this.mails.delete(mail.id);
    this.log.push({ mail: mail.id, folder: mail.folder });
  }

  removeFolder({ id }: FakeFolder): void {
    this.folders.delete(id);
  }

  /** One page of a folder's change list, as for drives; ids of mails, whether or not they are still in the folder. */
  delta(folder: string, token: string | null, select: string | null, limit: number) {
    const all = [...this.mails.values()].filter((mail) => mail.folder === folder).map(({ id }) => id);
    const known = token === null ? { ids: all, place: this.log.length, select } : this.tokens.get(token);
    if (!known) return null;
    const ids = known.ids.length > 0 || token === null ? known.ids : this.since(known.place, folder);
    const place = known.ids.length > 0 ? known.place : this.log.length;
    const [page, rest] = [ids.slice(0, limit), ids.slice(limit)];
    const next = createHash('sha256').update(`${this.number} ${this.tokens.size}`).digest('base64url');
    this.tokens.set(next, { ids: rest, place, select: known.select });
    return { ids: page, next, isLast: rest.length === 0, select: known.select };
  }

  invalidateCursors(): void {
    this.tokens.clear();
  }

  private since(place: number, folder: string): string[] {
    const changed = this.log.slice(place).filter((entry) => entry.folder === folder);
    return [...new Set(changed.map(({ mail }) => mail))];
  }

  private addFolder(displayName: string, parent: string | null): FakeFolder {
    const id = `AQMkADAw${this.number}z${String(++this.ids).padStart(4, '0')}AAA=`;
    const folder = { id, displayName, parent };
    this.folders.set(id, folder);
    return folder;
  }
}

function attachment(given: string | Partial<FakeAttachment>, mail: string): FakeAttachment {
  const name = typeof given === 'string' ? given : (given.name ?? 'rechnung.pdf');
  const rest = typeof given === 'string' ? {} : given;
  const content = Buffer.from(`%PDF-1.7 ${mail} ${name}`);
  return { type: 'file', contentType: 'application/pdf', content, isInline: false, ...rest, name };
}
