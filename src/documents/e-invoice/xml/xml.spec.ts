import { XmlRefused } from './decode-xml';
import { readXmlInvoice } from './read-xml-invoice';
import { changed, sample } from '../../../../test/samples/e-invoices/sample';
import { MAX_XML_BYTES } from '../size-limits';
import { parseXml } from './xml';

const invoice = sample('ubl-invoice');
const supplier = (bytes: Buffer) => readXmlInvoice(bytes)?.metadata.supplier?.name;
const declaring = (encoding: string) => changed(invoice, 'encoding="UTF-8"', `encoding="${encoding}"`);
const text = (xml: string) => parseXml(Buffer.from(xml)).text();

describe('the encoding of XML', () => {
  it.each<[string, Buffer]>([
    ['UTF-8 without a declaration', Buffer.from(invoice.replace(/^<\?xml.*\?>\s*/, ''))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${invoice}`)],
    ['UTF-16 little endian with a mark', Buffer.from(`\ufeff${declaring('UTF-16')}`, 'utf16le')],
    ['UTF-16 big endian with a mark', Buffer.from(`\ufeff${declaring('UTF-16')}`, 'utf16le').swap16()],
    ['UTF-16 little endian without a mark', Buffer.from(declaring('UTF-16'), 'utf16le')],
    ['UTF-16 big endian without a mark', Buffer.from(declaring('UTF-16'), 'utf16le').swap16()],
    ['UTF-8 declared as UTF-16', Buffer.from(declaring('utf-16'))],
    ['declared ISO-8859-1', Buffer.from(declaring('ISO-8859-1'), 'latin1')],
    ['declared windows-1252', Buffer.from(declaring('windows-1252'), 'latin1')],
  ])('%s is read', (_name, bytes) => expect(supplier(bytes)).toBe('Mühle & Söhne GmbH'));

  it('is rejected when it is unknown or the bytes are invalid', () => {
    expect(() => parseXml(Buffer.from(declaring('x-klingon')))).toThrow(XmlRefused);
    expect(() => parseXml(Buffer.from(invoice, 'latin1'))).toThrow(XmlRefused);
  });
});

describe('rejected XML', () => {
  const lol = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');

  it.each<[string, string]>([
    ['a billion laughs', `<!DOCTYPE Invoice [<!ENTITY l0 "lol">${lol}]>`],
    ['an external entity', '<!DOCTYPE Invoice [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>'],
    ['a parameter entity', '<!DOCTYPE Invoice [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>'],
    ['an external subset', '<!DOCTYPE Invoice SYSTEM "http://127.0.0.1:9/x.dtd">'],
    ['a document type in lower case', '<!doctype Invoice>'],
  ])('%s', (_name, declaration) => {
    const xml = changed(invoice, '<Invoice ', `${declaration}<Invoice `);
    for (const reference of ['&l9;', '&xxe;', 'RE-1']) {
      const hostile = changed(xml, 'RE-2026-0042', reference);
      const started = performance.now();
      expect(() => parseXml(Buffer.from(hostile))).toThrow(XmlRefused);
      expect(performance.now() - started).toBeLessThan(1_000);
    }
  });

  it.each<[string, string]>([
    ['truncated', invoice.slice(0, -20)],
    ['with two roots', '<a/><b/>'],
    ['with the same root twice', '<a/><a/>'],
    ['with tags that do not match', '<a><b></a></b>'],
    ['with a bare ampersand', '<a>R & B</a>'],
    ['with an attribute given twice', '<a b="1" b="2"/>'],
    ['empty', ''],
    ['plain text', 'Sehr geehrte Damen und Herren'],
    ['with an unfinished comment', '<a><!-- </a>'],
    ['with a declaration inside', '<a><!ENTITY b "c"></a>'],
    ['deeper than 64 levels', '<a>'.repeat(70) + '</a>'.repeat(70)],
    ['that would change the prototype', '<a><__proto__><b>1</b></__proto__></a>'],
  ])('%s', (_name, xml) => expect(() => parseXml(Buffer.from(xml))).toThrow());

  it('larger than the limit, without being decoded', () => {
    expect(() => parseXml(Buffer.alloc(MAX_XML_BYTES + 1, ' '))).toThrow(new XmlRefused('too large'));
  });
});

describe('a value', () => {
  it('has its references resolved and its white space collapsed', () => {
    expect(text('<a> R &amp; B\n &#220;&#xDC; &lt;x&gt; </a>')).toBe('R & B ÜÜ <x>');
    expect(text('<a><![CDATA[<!DOCTYPE x> &amp;]]></a>')).toBe('<!DOCTYPE x> &amp;');
    expect(text('<a>0012.50</a>')).toBe('0012.50');
  });

  it.each(['&nbsp;', '&constructor;', '&#0;', '&#xD800;', '&#x110000;', '\u0000', '\u0007', 'x'.repeat(1_001)])(
    'is omitted with unsupported content (%j)',
    (content) => expect(text(`<a>${content}</a>`)).toBeUndefined(),
  );

  it('is never read from another namespace', () => {
    const root = parseXml(
      Buffer.from('<r xmlns="u" xmlns:v="v"><v:a>no</v:a><b xmlns="v"><a>no</a></b><w:a xmlns:w="u">yes</w:a></r>'),
    );
    expect(
      root
        .speaking(['u'])
        .all('a')
        .map((each) => each.text()),
    ).toEqual(['yes']);
    expect(root.speaking(['u']).first('b', 'a')).toBeUndefined();
    expect(root.speaking(['v']).first('b', 'a')?.text()).toBe('no');
  });
});
