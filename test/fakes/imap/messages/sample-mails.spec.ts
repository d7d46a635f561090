import { aMail, type MailBuilder } from '../../../builders/mail-builder';
import { lazyBytes } from '../../../builders/mail-encoding';
import type { NameStyle } from '../../../builders/mail-names';
import { bodyStructure } from './body-structure';
import { parseMessage, type MimePart } from './mime-tree';
import { ByteBuffer } from '../protocol/byte-buffer';

const PDF = Buffer.from('%PDF-1.7\n\x00\xff binary \x0d\x0a\x0d lines\n%%EOF\n', 'latin1');
const attachment = (filename?: string, nameStyle?: NameStyle) => ({
  content: PDF,
  mimeType: 'application/pdf',
  filename,
  nameStyle,
});

function parsed(mail: MailBuilder): { root: MimePart; buffer: ByteBuffer; shape: string } {
  const buffer = ByteBuffer.from(mail.pieces());
  const root = parseMessage(buffer);
  const shape = (part: MimePart): string => {
    const inside = [...part.children, ...(part.embedded ? [part.embedded] : [])].map(shape).join(', ');
    return `${part.type}/${part.subtype}${inside && ` (${inside})`}`;
  };
  return { root, buffer, shape: shape(root) };
}

describe('the mail builder', () => {
  it('produces identical bytes on every build, with CRLF only', () => {
    const one = () => aMail().html('<p>é</p>').attach(attachment('a.pdf')).build();
    expect(one().equals(one())).toBe(true);
    expect(one().toString('latin1')).not.toMatch(/[^\r]\n|\r[^\n]/);
  });

  it('nests related parts, alternatives, forwarded mails and other multiparts', () => {
    const logo = { content: PDF, mimeType: 'image/png', contentId: 'logo', filename: 'logo.png' };
    const forwarded = aMail().subject('inner').attach(attachment('inner.pdf'));
    const mail = aMail().text('A').html('<img src="cid:logo">').inline(logo).attach(attachment('a.pdf'));
    mail.forward(forwarded).multipart('digest', aMail().text('x'));
    expect(parsed(mail).shape).toBe(
      'multipart/mixed (' +
        'multipart/alternative (text/plain, multipart/related (text/html, image/png)), application/pdf, ' +
        'message/rfc822 (multipart/mixed (text/plain, application/pdf)), multipart/digest (text/plain))',
    );
  });

  it('does not wrap a mail of one part that is built without a multipart', () => {
    expect(parsed(aMail().attach(attachment('a.pdf')).bare()).shape).toBe('application/pdf');
    expect(parsed(aMail().text('only text')).shape).toBe('text/plain');
  });

  it.each(['base64', 'quoted-printable', 'binary'] as const)('carries text unchanged as %s', (encoding) => {
    const content = `Zeile mit = und ä \r\n${'lang '.repeat(40)}\r\n.\r\nEnde\t`;
    const { root, buffer } = parsed(aMail().attach({ content, mimeType: 'text/csv', encoding }));
    const part = root.children[1]!;
    const raw = buffer.bytes(part.bodyStart, part.end).toString('latin1');
    const quoted = raw
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    const decoded = { base64: Buffer.from(raw, 'base64'), 'quoted-printable': Buffer.from(quoted, 'latin1') };
    const bytes = encoding === 'binary' ? Buffer.from(raw, 'latin1') : decoded[encoding];
    expect(bytes.toString()).toBe(content);
    if (encoding !== 'binary')
      expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(76);
  });

  const umlaut = 'Rechnung März €.pdf';
  it.each<[NameStyle, string]>([
    ['rfc2231', `filename*=utf-8''Rechnung%20M%C3%A4rz%20%E2%82%AC.pdf`],
    ['fallback', `filename="Rechnung M_rz _.pdf";\r\n filename*=utf-8''Rechnung`],
    ['rfc2047', 'filename="=?UTF-8?B?UmVjaG51bmcgTcOkcnog4oKsLnBkZg==?="'],
    ['rfc2047-unquoted', 'filename==?UTF-8?B?UmVjaG51bmcgTcOkcnog4oKsLnBkZg==?='],
    ['rfc2231-continued', `filename*0*=utf-8''Rechnung%20M;\r\n filename*1*=%C3%A4rz`],
    ['raw-utf8', `filename="${Buffer.from(umlaut).toString('latin1')}"`],
  ])('writes a name as %s', (style, expected) => {
    expect(aMail().attach(attachment(umlaut, style)).build().toString('latin1')).toContain(expected);
  });

  it('writes raw latin1 names and parts without any name', () => {
    const latin = aMail().attach(attachment('März.pdf', 'raw-latin1')).build();
    expect(latin.includes(Buffer.from('filename="M\xe4rz.pdf"', 'latin1'))).toBe(true);
    expect(aMail().attach(attachment()).build().toString()).not.toContain('name=');
  });

  it('produces the requested malformations', () => {
    const mail = () => aMail().attach(attachment('a.pdf'));
    expect(mail().build().toString()).toMatch(/--\r\n$/);
    expect(mail().malformed('unclosed').build().toString()).not.toMatch(/--\r\n$/);
    expect(mail().malformed('bad-base64').build().toString()).toContain('*!?');
    expect(mail().malformed('headerless').build().toString()).toMatch(/^MIME-Version/);
    expect(mail().malformed('truncated').build().length).toBeLessThan(mail().build().length);
    expect(parsed(mail().malformed('unclosed')).shape).toBe('multipart/mixed (text/plain, application/pdf)');
  });

  it.each([0, 1, 56, 57, 58, 200_000])('encodes %d lazy bytes exactly as bytes in memory', (size) => {
    const lazy = lazyBytes(size);
    const memory = Buffer.concat([...lazy.chunks()]);
    const [streamed, whole] = [lazy, memory].map((content) =>
      ByteBuffer.from(aMail().messageId('<x@y>').attach({ content, mimeType: 'application/zip' }).pieces()),
    );
    const body = (buffer: ByteBuffer) => {
      const part = parseMessage(buffer).children[1]!;
      return buffer.bytes(part.bodyStart, part.end);
    };
    expect(streamed!.size).toBe(whole!.size);
    expect(body(streamed!).equals(body(whole!))).toBe(true);
    const decoded = Buffer.from(body(streamed!).toString('latin1'), 'base64');
    expect(decoded.equals(memory)).toBe(true);
    const boundaryless = (buffer: ByteBuffer) =>
      bodyStructure(parseMessage(buffer), buffer, true).replace(/=_\w+/g, '');
    expect(boundaryless(streamed!)).toBe(boundaryless(whole!));
  });

  it('returns the same bytes for ranges in any order and interleaved', () => {
    const buffer = ByteBuffer.from(['head\r\n', lazyBytes(300_000), 'tail']);
    const whole = buffer.bytes();
    const starts = [0, 65_536, 10, 131_072, 70_000, 299_990, 3, 196_608];
    const readers = starts.map((start) => ({ start, reader: buffer.read(start, start + 65_536), got: [] as Buffer[] }));
    for (let left = readers.length; left > 0;) {
      left = 0;
      for (const { reader, got } of readers) {
        const next = reader.next();
        if (next.done) continue;
        got.push(next.value);
        left++;
      }
    }
    for (const { start, got } of readers) {
      expect(Buffer.concat(got).equals(whole.subarray(start, start + 65_536))).toBe(true);
    }
  });
});
