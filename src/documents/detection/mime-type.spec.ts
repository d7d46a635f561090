import { mimeTypeOf } from './mime-type';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const COMPOUND = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]);
const EMPTY_ZIP = Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);
const type = (content: string | Buffer, filename: string, declared?: string) =>
  mimeTypeOf(Buffer.from(content), filename, declared);

describe('the MIME type of a document', () => {
  it.each<[what: string, content: string | Buffer, filename: string, declared: string | undefined, mimeType: string]>([
    ['a PDF without an extension', '%PDF-1.7\n', 'scan', 'application/octet-stream', 'application/pdf'],
    ['a PDF after some junk', 'HTTP junk\r\n%PDF-1.4\n', 'a.pdf', undefined, 'application/pdf'],
    ['an image that is declared as a PDF', PNG, 'rechnung.pdf', 'application/pdf', 'image/png'],
    [
      'an HTML page that is declared as a PDF',
      '<!DOCTYPE html><html>Log in</html>',
      'r.pdf',
      'application/pdf',
      'text/html',
    ],
    ['a text that is declared as a PDF', 'Not found', 'r.pdf', 'application/pdf', 'text/plain'],
    [
      'bytes that are declared as a PDF',
      Buffer.from([0, 1, 2, 3]),
      'r.pdf',
      'application/pdf',
      'application/octet-stream',
    ],
    ['an empty file that is declared as a PDF', '', 'r.pdf', 'application/pdf', 'application/octet-stream'],
    ['XML with a declaration', '<?xml version="1.0"?><a/>', 'r.bin', undefined, 'application/xml'],
    [
      'XML that is declared as text',
      '<?xml version="1.0"?><a/>',
      'r.xml',
      'text/xml; charset=utf-8',
      'application/xml',
    ],
    ['XML with only a namespace', '\ufeff <!-- x --><a:b c="d"\n xmlns:a="u">', 'r', undefined, 'application/xml'],
    ['XML in UTF-16', Buffer.from('\ufeff<a xmlns="u"/>', 'utf16le'), 'r', undefined, 'application/xml'],
    ['a drawing in XML', '<?xml version="1.0"?><svg xmlns="u"/>', 'logo.svg', undefined, 'image/svg+xml'],
    ['text in brackets', '<nobody@example.org> wrote', 'mail.txt', undefined, 'text/plain'],
    ['a table by its declaration', 'a;b\n1;2\n', 'x', 'Text/CSV; header=present', 'text/csv'],
    ['a table by its extension', 'a;b\n1;2\n', 'x.CSV', 'application/octet-stream', 'text/csv'],
    ['a text without any hint', 'Grüße', 'x', '', 'text/plain'],
    ['an old Word file', COMPOUND, 'Angebot.doc', undefined, 'application/msword'],
    ['an old Office file by its declaration', COMPOUND, 'x', 'application/vnd.ms-excel', 'application/vnd.ms-excel'],
    ['a compound file of another kind', COMPOUND, 'x.pdf', 'application/pdf', 'application/x-cfb'],
    [
      'a Word file whose parts are not in its first bytes',
      EMPTY_ZIP,
      'Brief.docx',
      undefined,
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['an archive', EMPTY_ZIP, 'x.pdf', undefined, 'application/zip'],
    ['an invalid declaration', 'x', 'x', 'garbage', 'text/plain'],
  ])('%s', async (_what, content, filename, declared, mimeType) => {
    expect(await type(content, filename, declared)).toBe(mimeType);
  });

  it('reads only the beginning', async () => {
    const long = Buffer.concat([Buffer.from('<!--'), Buffer.alloc(5_000_000, '-x'), Buffer.from('--><a xmlns="u"/>')]);
    const started = performance.now();
    expect(await mimeTypeOf(long, 'a.txt', undefined)).toBe('text/plain');
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
