import { EInvoiceDetector } from './e-invoice-detector';

async function passed(...chunks: string[]): Promise<{ found: boolean; text: string }> {
  const marks = new EInvoiceDetector();
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  let text = '';
  for await (const bytes of marks.scan(stream())) text += bytes.toString();
  return { found: marks.found, text };
}

describe('EInvoiceDetector', () => {
  it('finds a pattern within a chunk and passes every byte through', async () => {
    expect(await passed('%PDF-1.7 /Type /EmbeddedFile', ' more')).toEqual({
      found: true,
      text: '%PDF-1.7 /Type /EmbeddedFile more',
    });
  });

  it('finds a pattern across chunk boundaries, for any chunk size', async () => {
    expect((await passed('… Embedded', 'File …')).found).toBe(true);
    expect((await passed(...'… factur-x …')).found).toBe(true);
    expect((await passed('trailer << /Encr', 'ypt 7 0 R')).found).toBe(true);
  });

  it('finds nothing without a pattern, even if its parts occur separately', async () => {
    expect((await passed('Embedded', ' ', 'File', 'factur', '-y')).found).toBe(false);
    expect((await passed()).found).toBe(false);
  });
});
