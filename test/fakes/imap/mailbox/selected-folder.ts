import type { Folder, StoredMessage } from './folder';
import { ImapCommandError } from '../protocol/command-error';
import type { SequenceSet } from '../protocol/sequence-set';

/** The open mailbox of a session as the client knows it: sequence numbers change only when the client is notified (RFC 3501 5.2). */
export class SelectedFolder {
  view: readonly StoredMessage[];
  private readonly uidValidity: number;
  private readonly recentFrom: number;
  private readonly reportedModSequences = new Map<StoredMessage, number>();

  constructor(
    readonly folder: Folder,
    readonly readOnly: boolean,
  ) {
    this.view = folder.messages;
    this.uidValidity = folder.uidValidity;
    this.recentFrom = folder.firstRecentUid;
    if (!readOnly) folder.firstRecentUid = folder.uidNext;
    for (const message of this.view) this.markReported(message);
  }

  /** False after the folder was rebuilt: the client's state is invalid. */
  get valid(): boolean {
    return this.folder.uidValidity === this.uidValidity;
  }

  get recent(): number {
    return this.view.filter((message) => this.isRecent(message)).length;
  }

  flags(message: StoredMessage): string {
    return `(${[...message.flags, ...(this.isRecent(message) ? ['\\Recent'] : [])].join(' ')})`;
  }

  isRecent(message: StoredMessage): boolean {
    return message.uid >= this.recentFrom;
  }

  /** Records that the client knows the message's current flags. */
  markReported(message: StoredMessage): void {
    this.reportedModSequences.set(message, message.modSequence);
  }

  /**
   * The untagged responses for changes since the last call. Expunges are deferred during FETCH, STORE and SEARCH, whose
   * sequence numbers they would shift (RFC 3501 7.4.1).
   */
  updates(expunges: boolean, modSequences: boolean): string[] {
    const lines: string[] = [];
    const present = new Set(this.folder.messages);
    const view = [...this.view];
    if (expunges) {
      for (let index = view.length - 1; index >= 0; index--) {
        if (present.has(view[index]!)) continue;
        lines.push(`${index + 1} EXPUNGE`);
        this.reportedModSequences.delete(view[index]!);
        view.splice(index, 1);
      }
    }
    const known = new Set(view);
    const arrived = this.folder.messages.filter((message) => !known.has(message));
    if (arrived.length > 0) {
      view.push(...arrived);
      arrived.forEach((message) => this.markReported(message));
      if (!this.readOnly) this.folder.firstRecentUid = this.folder.uidNext;
    }
    this.view = view;
    if (arrived.length > 0) lines.push(`${view.length} EXISTS`, `${this.recent} RECENT`);
    view.forEach((message, index) => {
      if (this.reportedModSequences.get(message) === message.modSequence) return;
      this.markReported(message);
      const modSequence = modSequences ? ` MODSEQ (${message.modSequence})` : '';
      lines.push(`${index + 1} FETCH (UID ${message.uid} FLAGS ${this.flags(message)}${modSequence})`);
    });
    return lines;
  }
}

interface Numbered {
  readonly number: number;
  readonly message: StoredMessage;
}

/** The messages of a set, in order. Unknown UIDs are skipped; a sequence number that does not exist is answered with BAD. */
export function messagesOf(selected: SelectedFolder, set: SequenceSet, byUid: boolean): Numbered[] {
  const { view } = selected;
  if (!byUid && set.largestNamed > view.length) throw new ImapCommandError('BAD', 'No message with that number');
  const members = set.among(byUid ? view.map(({ uid }) => uid) : view.map((_, index) => index + 1));
  const numbered = view.map((message, index) => ({ number: index + 1, message }));
  return numbered.filter(({ number, message }) => members.has(byUid ? message.uid : number));
}
