import type { MimeHeader } from './mime-header';
import { nstring } from '../protocol/wire-format';

interface Address {
  readonly name?: string;
  readonly route?: string;
  readonly mailbox?: string;
  readonly host?: string;
}

/** The ENVELOPE of a message (RFC 3501 7.4.2); sender and reply-to fall back to from. */
export function envelope(header: MimeHeader): string {
  const from = addressList(header.get('from'));
  const fallback = (name: string) => (header.get(name) ? addressList(header.get(name)) : from);
  const fields = [
    nstring(header.get('date')),
    nstring(header.get('subject')),
    from,
    fallback('sender'),
    fallback('reply-to'),
    addressList(header.get('to')),
    addressList(header.get('cc')),
    addressList(header.get('bcc')),
    nstring(header.get('in-reply-to')),
    nstring(header.get('message-id')),
  ];
  return `(${fields.join(' ')})`;
}

function addressList(text: string | undefined): string {
  const addresses = text ? parseAddresses(text) : [];
  if (addresses.length === 0) return 'NIL';
  const one = (address: Address) =>
    `(${[address.name, address.route, address.mailbox, address.host].map(nstring).join(' ')})`;
  return `(${addresses.map(one).join('')})`;
}

/** RFC 5322 3.4, parsed leniently; a group is an address without host before its members and an empty one after them. */
export function parseAddresses(text: string): Address[] {
  const addresses: Address[] = [];
  let words: string[] = [];
  let comment: string | undefined;
  let angle: string | undefined;
  const finish = () => {
    const phrase = words.join(' ').replace(/ ?([.@]) ?/g, '$1');
    const [, route, spec = ''] = /^(?:(@[^:]*):)?(.*)$/s.exec(angle ?? phrase)!;
    const at = spec.lastIndexOf('@');
    const name = angle === undefined ? comment : words.join(' ') || comment;
    if (spec) {
      const mailbox = (at < 0 ? spec : spec.slice(0, at)).replace(/^"(.*)"$/s, '$1');
      addresses.push({ name: name || undefined, route, mailbox, host: at < 0 ? '' : spec.slice(at + 1) });
    }
    words = [];
    comment = angle = undefined;
  };
  for (const token of tokens(text)) {
    if (token.kind === 'comment') comment = token.text;
    else if (token.kind === 'angle') angle = token.text.replace(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/g, '');
    else if (token.kind === 'word') words.push(token.text);
    else if (token.text === ',') finish();
    else if (token.text === ':') {
      addresses.push({ mailbox: words.join(' ') });
      words = [];
    } else {
      finish();
      addresses.push({});
    }
  }
  finish();
  return addresses;
}

interface Token {
  readonly kind: 'word' | 'angle' | 'comment' | 'special';
  readonly text: string;
}

const TOKEN = /"((?:[^"\\]|\\.)*)"?|<([^>]*)>?|\(((?:[^()\\]|\\.)*)\)?|([,:;])|([^\s",:;<(]+)/gs;

function* tokens(text: string): Generator<Token> {
  const unquote = (quoted: string) => quoted.replace(/\\(.)/gs, '$1');
  for (const [, quoted, angle, comment, special, word] of text.matchAll(TOKEN)) {
    if (quoted !== undefined) yield { kind: 'word', text: unquote(quoted) };
    else if (angle !== undefined) yield { kind: 'angle', text: angle.trim() };
    else if (comment !== undefined) yield { kind: 'comment', text: unquote(comment) };
    else if (special !== undefined) yield { kind: 'special', text: special };
    else if (word !== undefined) yield { kind: 'word', text: word };
  }
}
