import { globMatcher, isPartialUpload, isSystemFile } from './glob-patterns';

describe('Patterns', () => {
  it.each([
    ['rechnung*', 'Büro/Rechnung 1.pdf', true],
    ['*.pdf', 'a/b/C.PDF', true],
    ['*.pdf', 'a.pdf.exe', false],
    ['2026/**', '2026/01/a.pdf', true],
    ['2026/**', 'alt/2026/a.pdf', false],
    ['**/2026/**', 'alt/2026/a.pdf', true],
    ['archiv/', 'Archiv/2026/a.pdf', true],
    ['archiv/', 'alt/archiv/a.pdf', false],
    ['2026/*/', '2026/01/a.pdf', true],
    ['/2026/*.pdf', '2026/a.pdf', true],
    ['2026/*.pdf', '2026/01/a.pdf', false],
    ['a.pdf, b.pdf', 'x/b.pdf', true],
    ['  ,, ', 'a.pdf', false],
    ['re[0-9].pdf', 're7.pdf', true],
    ['?.pdf', 'ab.pdf', false],
    // One umlaut is composed, the other decomposed.
    ['B\u00fcro*', 'Bu\u0308ro.pdf', true],
    ['*', 'line\nbreak.pdf', true],
    ['*', '.hidden.pdf', true],
    // Braces and groups have no meaning.
    ['+(a).pdf', 'aaa.pdf', false],
    ['!a.pdf', 'b.pdf', false],
  ])('%s and %s: %s', (patterns, path, expected) => {
    expect(globMatcher(patterns)(path)).toBe(expected);
  });

  it.each(['a.pdf.part', 'x/a.filepart', 'a.PDF.tmp'])('%s is a partial upload', (path) => {
    expect([isPartialUpload(path), isSystemFile(path)]).toEqual([true, false]);
  });

  it.each(['~$a.docx', '.~lock.a.odt#', '._a.pdf', 'x/.DS_Store', 'a.swp'])('%s is a system file', (path) => {
    expect([isPartialUpload(path), isSystemFile(path)]).toEqual([false, true]);
  });

  it.each(['a.pdf', 'party.pdf', 'partial/a.pdf', 'tmp.pdf'])('%s may be one', (path) => {
    expect([isPartialUpload(path), isSystemFile(path)]).toEqual([false, false]);
  });

  it('is not slow for hostile patterns', () => {
    expect(globMatcher(`${'*a'.repeat(200)}b`)('a'.repeat(250))).toBe(false);
  });
});
