import { ImapCommandError } from './command-error';
import { SequenceSet } from './sequence-set';

/** ATOM-CHAR without `+`: printable ASCII except ( ) { % * " \ ] and space. */
const CHARS = "!#$&',./0-9:;<=>?@A-Z^_`a-z|}~\\[\\-";
const ATOM = new RegExp(`[${CHARS}+]+`, 'y');
const ASTRING = new RegExp(`[${CHARS}+\\]]+`, 'y');
const LIST_MAILBOX = new RegExp(`[${CHARS}+\\]%*]+`, 'y');
const TAG = new RegExp(`[${CHARS}\\]]+`, 'y');
const FLAG = new RegExp(`\\\\?[${CHARS}+]+`, 'y');
const QUOTED = /"((?:[\t !#-[\]-~]|\\["\\])*)"/y;
const QUOTED_8BIT = /"((?:[\t !#-[\]-~\x80-\xff]|\\["\\])*)"/y;
const LITERAL = /\{(\d{1,10})\+?\}\r\n/y;

/** Parses one command strictly by the grammar of RFC 3501 section 9. Every deviation throws a `Refusal` of kind BAD. */
export class CommandCursor {
  private readonly text: string;
  private position = 0;

  /**
   * `bytes` is the whole command without its last CRLF, literals included unchanged. `quoted8bit` allows characters beyond
   * ASCII in quoted strings: the grammar forbids them, but clients send them and most servers read them as UTF-8.
   */
  constructor(
    private readonly bytes: Buffer,
    private readonly quoted8bit: boolean,
  ) {
    this.text = bytes.toString('latin1');
  }

  tag(): string {
    return this.match(TAG, 'a tag')[0];
  }

  atom(): string {
    return this.match(ATOM, 'an atom')[0];
  }

  /** A command, a search key or another word, in upper case. */
  keyword(): string {
    return this.atom().toUpperCase();
  }

  space(): void {
    this.expect(' ');
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.bad(text === ' ' ? 'a space' : text);
  }

  accept(text: string): boolean {
    if (!this.next(text)) return false;
    this.position += text.length;
    return true;
  }

  /** True when the text follows. */
  next(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  /** The unread rest, up to the first literal. */
  remainder(): string {
    return this.text.slice(this.position).split('\r\n', 1)[0]!.trim();
  }

  end(): void {
    if (!this.atEnd()) throw this.bad('the end of the command');
  }

  atEnd(): boolean {
    return this.position === this.text.length;
  }

  /** Text in UTF-8. */
  astring(): string {
    return this.stringBytes()?.toString() ?? this.match(ASTRING, 'a string')[0];
  }

  nstring(): string | undefined {
    const bytes = this.stringBytes();
    if (bytes) return bytes.toString();
    if (this.keyword() !== 'NIL') throw this.bad('NIL or a string');
    return undefined;
  }

  /** A LIST pattern: a string, or an atom that may contain `*` and `%`. */
  listMailbox(): string {
    return this.stringBytes()?.toString() ?? this.match(LIST_MAILBOX, 'a mailbox pattern')[0];
  }

  literal(): Buffer {
    const bytes = this.next('{') ? this.stringBytes() : undefined;
    if (!bytes) throw this.bad('a literal');
    return bytes;
  }

  number(): number {
    const value = Number(this.match(/\d{1,10}/y, 'a number')[0]);
    if (value > 0xffff_ffff) throw this.bad('a number of 32 bits');
    return value;
  }

  /** A 63-bit number, exact up to 2^53 (RFC 7162 mod-sequences). */
  modSequence(): number {
    return Number(this.match(/\d{1,19}/y, 'a mod-sequence')[0]);
  }

  sequenceSet(): SequenceSet {
    const set = SequenceSet.parse(this.match(/[\d:,*]+/y, 'a sequence set')[0]);
    if (!set) throw this.bad('a sequence set');
    return set;
  }

  /** True when a sequence set follows. */
  startsSequenceSet(): boolean {
    return /^[\d*]/.test(this.text.slice(this.position, this.position + 1));
  }

  /** `(item item …)`; `empty` allows a list without items. */
  list<T>(item: () => T, empty = false): T[] {
    this.expect('(');
    const items: T[] = [];
    if (empty && this.accept(')')) return items;
    do items.push(item());
    while (this.accept(' '));
    this.expect(')');
    return items;
  }

  flag(): string {
    return this.match(FLAG, 'a flag')[0];
  }

  quoted(): string {
    return this.match(this.quoted8bit ? QUOTED_8BIT : QUOTED, 'a quoted string')[1]!.replace(/\\(.)/g, '$1');
  }

  /** The match of a sticky expression. Throws BAD without a match. */
  match(pattern: RegExp, expected: string): RegExpExecArray {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text);
    if (!match) throw this.bad(expected);
    this.position = pattern.lastIndex;
    return match;
  }

  bad(expected: string): ImapCommandError {
    return new ImapCommandError('BAD', `Expected ${expected} at position ${this.position}`);
  }

  private stringBytes(): Buffer | undefined {
    if (this.next('"')) return Buffer.from(this.quoted(), 'latin1');
    if (!this.next('{')) return undefined;
    const size = Number(this.match(LITERAL, 'a literal')[1]);
    const start = this.position;
    this.position += size;
    if (this.position > this.text.length) throw this.bad('the whole literal');
    return this.bytes.subarray(start, this.position);
  }
}
