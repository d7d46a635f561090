import type { Command } from './commands';
import type { CommandCursor } from '../protocol/command-cursor';
import type { StoredMessage } from '../mailbox/folder';
import { headerText, messageText, sentDay } from '../messages/message-text';
import { ImapCommandError } from '../protocol/command-error';
import type { Session } from '../session';
import { dayNumber } from '../protocol/wire-format';

/** One parsed search key, which is applied to the messages of the open mailbox. */
type Test = (message: StoredMessage, index: number) => boolean;

const FLAG_KEYS = ['ANSWERED', 'DELETED', 'DRAFT', 'FLAGGED', 'SEEN'];
const HEADER_KEYS = ['BCC', 'CC', 'FROM', 'SUBJECT', 'TO'];

/** SEARCH and UID SEARCH (RFC 3501 6.4.4): keys are joined by AND; an unknown key is answered with BAD. */
export function searchCommand(byUid: boolean): Command {
  return {
    states: ['selected'],
    expunges: byUid,
    async run(session, args) {
      args.space();
      if (args.accept('CHARSET ') || args.accept('charset ')) {
        const charset = args.astring().toUpperCase();
        if (!['UTF-8', 'US-ASCII'].includes(charset))
          throw new ImapCommandError('NO', 'Unknown charset', 'BADCHARSET (UTF-8)');
        args.space();
      }
      const reader = new SearchReader(session, args);
      const tests = [reader.key()];
      while (args.accept(' ')) tests.push(reader.key());
      args.end();
      const found: { id: number; modSequence: number }[] = [];
      session.selected!.view.forEach((message, index) => {
        if (!tests.every((test) => test(message, index))) return;
        found.push({ id: byUid ? message.uid : index + 1, modSequence: message.modSequence });
      });
      const highest = Math.max(...found.map(({ modSequence }) => modSequence));
      const suffix = reader.usesModSequence && found.length > 0 ? ` (MODSEQ ${highest})` : '';
      await session.untagged(`SEARCH${found.map(({ id }) => ` ${id}`).join('')}${suffix}`);
    },
  };
}

class SearchReader {
  usesModSequence = false;

  constructor(
    private readonly session: Session,
    private readonly args: CommandCursor,
  ) {}

  key(): Test {
    const { args } = this;
    if (args.next('(')) {
      const tests = args.list(() => this.key());
      return (message, index) => tests.every((test) => test(message, index));
    }
    if (args.startsSequenceSet()) return this.numbers(false);
    const name = args.keyword();
    return this.flagKey(name) ?? this.dateKey(name) ?? this.textKey(name) ?? this.otherKey(name);
  }

  private flagKey(name: string): Test | undefined {
    const negated = name.startsWith('UN');
    const flag = negated ? name.slice(2) : name;
    if (FLAG_KEYS.includes(flag)) return ({ flags }) => hasFlag(flags, `\\${flag}`) !== negated;
    if (flag === 'KEYWORD') {
      const keyword = this.after(() => this.args.atom());
      return ({ flags }) => hasFlag(flags, keyword) !== negated;
    }
    const selected = this.session.selected!;
    if (name === 'RECENT') return (message) => selected.isRecent(message);
    if (name === 'OLD') return (message) => !selected.isRecent(message);
    if (name === 'NEW') return (message) => selected.isRecent(message) && !hasFlag(message.flags, '\\Seen');
    return undefined;
  }

  private dateKey(name: string): Test | undefined {
    const match = /^(SENT)?(BEFORE|ON|SINCE)$/.exec(name);
    if (!match) return undefined;
    const day = this.after(() => this.date());
    const dayOf = match[1] ? sentDay : receivedDay;
    return (message) => {
      const own = dayOf(message);
      if (own === undefined) return false;
      return match[2] === 'BEFORE' ? own < day : match[2] === 'ON' ? own === day : own >= day;
    };
  }

  private textKey(name: string): Test | undefined {
    if (HEADER_KEYS.includes(name))
      return this.headerTest(
        name,
        this.after(() => this.args.astring()),
      );
    if (name === 'HEADER') {
      const field = this.after(() => this.args.astring());
      return this.headerTest(
        field,
        this.after(() => this.args.astring()),
      );
    }
    if (name !== 'BODY' && name !== 'TEXT') return undefined;
    const wanted = this.after(() => this.args.astring()).toLowerCase();
    return (message) =>
      messageText(message, name === 'TEXT')
        .toLowerCase()
        .includes(wanted);
  }

  private otherKey(name: string): Test {
    const { args } = this;
    if (name === 'ALL') return () => true;
    if (name === 'UID') return this.after(() => this.numbers(true));
    if (name === 'NOT') {
      const test = this.after(() => this.key());
      return (message, index) => !test(message, index);
    }
    if (name === 'OR') {
      const [one, other] = [this.after(() => this.key()), this.after(() => this.key())];
      return (message, index) => one(message, index) || other(message, index);
    }
    if (name === 'LARGER' || name === 'SMALLER') {
      const size = this.after(() => args.number());
      return ({ content }) => (name === 'LARGER' ? content.size > size : content.size < size);
    }
    if (name === 'MODSEQ' && this.session.offers('CONDSTORE')) {
      const modSequence = this.after(() => args.modSequence());
      this.usesModSequence = this.session.condstore = true;
      return (message) => message.modSequence >= modSequence;
    }
    throw new ImapCommandError('BAD', 'Unknown search key');
  }

  private numbers(byUid: boolean): Test {
    const set = this.args.sequenceSet();
    const { view } = this.session.selected!;
    if (!byUid && set.largestNamed > view.length) throw new ImapCommandError('BAD', 'No message with that number');
    const members = set.among(view.map(({ uid }, index) => (byUid ? uid : index + 1)));
    return ({ uid }, index) => members.has(byUid ? uid : index + 1);
  }

  private headerTest(field: string, text: string): Test {
    const wanted = text.toLowerCase();
    return (message) => headerText(message, field).some((value) => value.toLowerCase().includes(wanted));
  }

  private date(): number {
    const text = this.args.next('"') ? this.args.quoted() : this.args.match(/[\w-]+/y, 'a date')[0];
    const day = dayNumber(text);
    if (day === undefined) throw this.args.bad('a date');
    return day;
  }

  private after<T>(read: () => T): T {
    this.args.space();
    return read();
  }
}

function hasFlag(flags: ReadonlySet<string>, wanted: string): boolean {
  return [...flags].some((flag) => flag.toLowerCase() === wanted.toLowerCase());
}

/** The day of INTERNALDATE in its own zone (RFC 3501: "disregarding time and timezone"). */
function receivedDay({ received: { date, zoneMinutes } }: StoredMessage): number {
  return Math.floor((date.getTime() + zoneMinutes * 60_000) / 86_400_000);
}
