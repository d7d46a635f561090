import { PdfEnd } from './pdf-end';

function isFound(...parts: (string | Buffer)[]): boolean {
  const end = new PdfEnd();
  for (const part of parts) end.add(Buffer.from(part));
  return end.isFound;
}

describe('PdfEnd', () => {
  it.each([
    ['in one part', ['%PDF-1.7 … startxref\n7\n%%EOF\n']],
    ['split between parts', ['%PDF-1.7 …', '\n%%E', 'OF']],
    ['byte by byte', [...'%PDF startxref %%EOF']],
    ['before a remark', ['%PDF-1.7 %%EOF\n', '<!-- sent by a portal -->']],
    ['before padding of any length', ['%PDF-1.7 %%EOF\n', Buffer.alloc(100_000), Buffer.alloc(3, ' ')]],
    ['with the last word cut off', ['%PDF-1.7 startxref\n116\n%%E']],
  ])('is found %s', (_, parts) => {
    expect(isFound(...parts)).toBe(true);
  });

  it.each([
    ['a file that breaks off', ['%PDF-1.7 %%EOF ', 'x'.repeat(5000)]],
    ['an empty file', []],
    ['nothing but padding', [Buffer.alloc(10)]],
  ])('is not found in %s', (_, parts) => {
    expect(isFound(...parts)).toBe(false);
  });

  it('does not keep memory of the source', () => {
    const end = new PdfEnd();
    const part = Buffer.alloc(4096, '%%EOF ');
    end.add(part);
    part.fill('x');
    expect(end.isFound).toBe(true);
  });
});
