import { parseMessage, type MimePart } from '../messages/mime-tree';
import { ByteBuffer, type MessageSource } from '../protocol/byte-buffer';

/** The metadata of a message. */
export interface MessageFacts {
  /** Default: now. */
  readonly internalDate?: Date;
  /** The time zone of INTERNALDATE, which also determines the day that SINCE and BEFORE compare. Minutes east of UTC, default 0. */
  readonly zoneMinutes?: number;
  readonly flags?: readonly string[];
}

export class StoredMessage {
  private parsed?: MimePart;

  constructor(
    readonly uid: number,
    readonly content: ByteBuffer,
    /** INTERNALDATE: the time and its zone. */
    readonly received: { readonly date: Date; readonly zoneMinutes: number },
    readonly flags: Set<string>,
    public modSequence: number,
  ) {}

  get mime(): MimePart {
    return (this.parsed ??= parseMessage(this.content));
  }
}

/** One mailbox: messages in ascending order of their UIDs, which are never reused under one UIDVALIDITY. */
export class Folder {
  messages: readonly StoredMessage[] = [];
  uidNext = 1;
  highestModSequence = 1;
  /** Messages from this UID on have not yet been reported as `\Recent` to any session. */
  firstRecentUid = 1;
  private readonly watchers = new Set<() => void>();

  constructor(
    /** Decoded, with the server's delimiter. */
    readonly path: string,
    readonly selectable: boolean,
    readonly specialUse: string | undefined,
    public subscribed: boolean,
    public uidValidity: number,
  ) {}

  append(source: MessageSource, facts: MessageFacts = {}): StoredMessage {
    const { internalDate = new Date(), zoneMinutes = 0, flags = [] } = facts;
    const content = ByteBuffer.from(source);
    return this.store(content, { date: new Date(internalDate), zoneMinutes }, new Set(flags));
  }

  /** A copy of another folder's message, with its flags and date. */
  copy(message: StoredMessage): StoredMessage {
    return this.store(message.content, message.received, new Set(message.flags));
  }

  remove(messages: ReadonlySet<StoredMessage>): void {
    this.messages = this.messages.filter((message) => !messages.has(message));
    this.highestModSequence++;
    this.changed();
  }

  setFlags(message: StoredMessage, flags: Iterable<string>): void {
    message.flags.clear();
    for (const flag of flags) message.flags.add(flag);
    message.modSequence = ++this.highestModSequence;
    this.changed();
  }

  /** Gives every message a new UID under a new UIDVALIDITY, as after a mailbox is restored. */
  rebuild(): void {
    const before = this.messages;
    this.uidValidity++;
    this.uidNext = 1;
    this.firstRecentUid = 1;
    this.messages = [];
    for (const message of before) this.copy(message);
  }

  /** Calls `watcher` after every change until the returned function is called. */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private store(content: ByteBuffer, received: StoredMessage['received'], flags: Set<string>): StoredMessage {
    const message = new StoredMessage(this.uidNext++, content, received, flags, ++this.highestModSequence);
    this.messages = [...this.messages, message];
    this.changed();
    return message;
  }

  private changed(): void {
    for (const watcher of [...this.watchers]) watcher();
  }
}
