import { type PayloadPart, payloadOf } from './mail-payload';

export interface StoredMail {
  readonly id: string;
  readonly labelIds: Set<string>;
  /** Milliseconds since 1970. */
  readonly internalDate: number;
  readonly payload: PayloadPart;
}

type Kind = 'messageAdded' | 'messageDeleted' | 'labelAdded' | 'labelRemoved';
export interface Event {
  readonly id: number;
  readonly kind: Kind;
  readonly mail: string;
  readonly labelIds: readonly string[];
}

const SYSTEM = [
  'INBOX',
  'SENT',
  'STARRED',
  'IMPORTANT',
  'UNREAD',
  'DRAFT',
  'SPAM',
  'TRASH',
  'CATEGORY_UPDATES',
  'CHAT',
];

/** The mails of an account, and the mailbox history. */
export class GmailState {
  readonly mails = new Map<string, StoredMail>();
  /** Names by id. */
  readonly labels = new Map(SYSTEM.map((id) => [id, id]));
  private readonly events: Event[] = [];
  private readonly attachments = new Map<string, Buffer>();
  /** The history before this position has expired. */
  private forgotten = 0;
  private clock = 7_000;
  private ids = 0;

  /** A user label; slashes in its name nest it. */
  label(name: string): string {
    const known = [...this.labels].find(([, each]) => each === name)?.[0];
    const id = known ?? `Label_${++this.ids}`;
    this.labels.set(id, name);
    return id;
  }

  removeLabel(id: string): void {
    this.labels.delete(id);
    for (const { labelIds } of this.mails.values()) labelIds.delete(id);
  }

  /** Delivers a mail. */
  deliver(mail: Buffer, labelIds: readonly string[] = ['INBOX'], received = new Date('2026-03-02T10:00:00Z')): string {
    const id = (0x18f00000000 + ++this.ids).toString(16);
    this.mails.set(id, {
      id,
      labelIds: new Set(labelIds),
      internalDate: received.getTime(),
      payload: payloadOf(mail),
    });
    this.happens('messageAdded', id, labelIds);
    return id;
  }

  addLabels(id: string, ...labelIds: string[]): void {
    for (const label of labelIds) this.mails.get(id)!.labelIds.add(label);
    this.happens('labelAdded', id, labelIds);
  }

  takeLabels(id: string, ...labelIds: string[]): void {
    for (const label of labelIds) this.mails.get(id)!.labelIds.delete(label);
    this.happens('labelRemoved', id, labelIds);
  }

  /** Deletes a mail permanently. */
  delete(id: string): void {
    this.mails.delete(id);
    this.happens('messageDeleted', id, []);
  }

  /** The current end of the history. */
  get historyId(): number {
    return this.clock;
  }

  /** The history after a position; null when the position is unknown or expired. */
  since(place: number): readonly Event[] | null {
    return place < this.forgotten || place > this.clock ? null : this.events.filter(({ id }) => id > place);
  }

  /** Discards the history up to now. */
  invalidateHistory(): void {
    this.clock += 3;
    this.forgotten = this.clock;
  }

  /** Issues an attachment id, a new one on each call. */
  attach(bytes: Buffer): string {
    const id = `ANGjdJ8_fake-${++this.ids}`;
    this.attachments.set(id, bytes);
    return id;
  }

  attachment(id: string): Buffer | undefined {
    return this.attachments.get(id);
  }

  /** Invalidates all attachment ids issued so far. */
  forgetAttachments(): void {
    this.attachments.clear();
  }

  private happens(kind: Kind, mail: string, labelIds: readonly string[]): void {
    this.clock += 1 + (this.ids % 5); // ids grow with gaps
    this.events.push({ id: this.clock, kind, mail, labelIds });
  }
}
