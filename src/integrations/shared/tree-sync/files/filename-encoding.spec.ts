import fc from 'fast-check';
import { encodeFilename, decodeFilename, displayFilename } from './filename-encoding';

describe('filename encoding', () => {
  it('decodes UTF-8', () => {
    for (const name of ['Rechnung März 😀.pdf', 'Bu\u0308ro', 'a\tb', '\uFFFD.pdf', ''])
      expect([decodeFilename(Buffer.from(name)), displayFilename(name)]).toEqual([name, name]);
  });

  it('displays other names as Windows-1252', () => {
    expect(displayFilename(decodeFilename(Buffer.from('M\xe4rz \x80 100.pdf', 'latin1')))).toBe('März € 100.pdf');
  });

  it('round-trips all bytes without collisions', () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((each) => Buffer.from(each));
    const name = fc.string({ unit: 'binary' }).map((each) => Buffer.from(each));
    const few = fc.constantFrom('\u{10FFE4}', '\xe4', 'ä').map((each) => Buffer.from(each));
    fc.assert(fc.property(fc.oneof(bytes, name, few), (each) => encodeFilename(decodeFilename(each)).equals(each)));
  });

  it('keeps path separators', () => {
    const path = `B\u00fcro/${decodeFilename(Buffer.from('B\xfcro/2026', 'latin1'))}/a.pdf`;
    expect(encodeFilename(path)).toEqual(
      Buffer.concat([Buffer.from('Büro/'), Buffer.from('B\xfcro/2026', 'latin1'), Buffer.from('/a.pdf')]),
    );
  });
});
