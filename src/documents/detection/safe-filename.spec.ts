import { safeFilename } from './safe-filename';

describe('safeFilename', () => {
  it.each([
    ['invoice.pdf', 'invoice.pdf'],
    ['Größe & „Co.“ № 1 – 5 €.pdf', 'Größe & „Co.“ № 1 – 5 €.pdf'],
    ['請求書.pdf', '請求書.pdf'],
    ['🏢 report.pdf', '🏢 report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\invoice.pdf', 'invoice.pdf'],
    ['a/b\\c.pdf', 'c.pdf'],
    ['in\0voi\r\nce\t.pdf', 'invoice.pdf'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['\u2066a\u2069.pdf', 'a.pdf'],
    ['  spaced.pdf  ', 'spaced.pdf'],
    ['.hidden', '.hidden'],
    ['cafe\u0301.pdf', 'caf\u00e9.pdf'],
  ])('converts %j to %j', (name, expected) => {
    expect(safeFilename(name)).toBe(expected);
  });

  it.each(['', '   ', '.', '..', '...', 'folder/', '\\', '\0', '\u202E'])('returns a name for %j', (name) => {
    expect(safeFilename(name)).toBe('document');
  });

  it('truncates a long name and keeps its extension', () => {
    expect(safeFilename(`${'x'.repeat(300)}.pdf`)).toBe(`${'x'.repeat(251)}.pdf`);
    expect(safeFilename(`${'x'.repeat(251)}.pdf`)).toBe(`${'x'.repeat(251)}.pdf`);
    expect([...safeFilename('🏢'.repeat(300))]).toHaveLength(255);
    expect(safeFilename(`a.${'x'.repeat(300)}`)).toHaveLength(255);
  });

  it('does not split a surrogate pair', () => {
    expect(safeFilename('a\ud800b.pdf').isWellFormed()).toBe(true);
  });

  it('is idempotent', () => {
    for (const name of ['../a/b.pdf', `${'ä'.repeat(300)}.pdf`, '\u202Ex', '..']) {
      expect(safeFilename(safeFilename(name))).toBe(safeFilename(name));
    }
  });
});
