import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { uuencode } from '../../../../../test/builders/mail-encoding';
import { beginsUuencoded, isUuencoded, UuDecoder, uuencodedName, withoutUuencoding } from './uu-decoder';

/** Decodes in pieces of `step` bytes, so that every position is split once. */
function decode(encoded: string, step: number): Buffer {
  const bytes = Buffer.from(encoded, 'latin1');
  const decoder = new UuDecoder();
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += step) out.push(decoder.push(bytes.subarray(at, at + step)));
  return Buffer.concat([...out, decoder.end()]);
}

const STEPS = [1, 2, 3, 5, 7, 64, 100_000];
const encoded = (bytes: Buffer): string => uuencode(bytes, 'Rechnung 4711.pdf').toString('latin1');

/** The example of POSIX. */
const CAT = 'begin 644 cat.txt\n#0V%T\n`\nend\n';

describe('UuDecoder', () => {
  it.each(STEPS)('decodes any bytes, split every %i bytes', (step) => {
    for (const length of [0, 1, 2, 3, 44, 45, 46, 1000, 20_000]) {
      const bytes = randomBytes(length);
      expect(decode(encoded(bytes), step).equals(bytes)).toBe(true);
    }
    expect(decode(CAT, step).toString()).toBe('Cat');
  });

  it.each(STEPS)('decodes spaces as zero, including lost trailing ones, split every %i bytes', (step) => {
    const bytes = Buffer.concat([Buffer.from('%PDF'), Buffer.alloc(200), randomBytes(50), Buffer.alloc(3)]);
    const spaced = encoded(bytes).replaceAll('`', ' ');
    expect(decode(spaced, step).equals(bytes)).toBe(true);
    expect(decode(spaced.replace(/ +(?=\r\n)/g, ''), step).equals(bytes)).toBe(true);
  });

  it.each(STEPS)('skips text before and after the file, split every %i bytes', (step) => {
    const around = `Im Anhang:\r\nbegin again\r\n${'x'.repeat(5000)}\r\n\r\n${CAT}\r\nGru\xdf\r\n${CAT}`;
    expect(decode(around, step).toString()).toBe('Cat');
    expect(decode('begin\r\nend\r\n', step).length).toBe(0);
  });

  it('decodes a truncated part as far as possible', () => {
    const bytes = randomBytes(450);
    const cut = encoded(bytes).replace(/`\r\nend\r\n$/, '');
    expect(decode(cut, 64).equals(bytes)).toBe(true);
    expect(decode(cut.slice(0, -40), 64).subarray(0, 405).equals(bytes.subarray(0, 405))).toBe(true);
  });

  it.each(STEPS)('skips invalid lines and trailing characters, split every %i bytes', (step) => {
    const bytes = randomBytes(135);
    const [begin, first, second, third, ...rest] = encoded(bytes).split('\r\n');
    const disturbed = [begin, `${first}x`, '', second, '~~~~', `${third}${'!'.repeat(4000)}`, ...rest].join('\r\n');
    expect(decode(disturbed, step).equals(bytes)).toBe(true);
  });

  it('buffers one line at most, and limits the output per piece', () => {
    const decoder = new UuDecoder();
    expect(decoder.push(Buffer.from('begin 644 a\n')).length).toBe(0);
    expect(decoder.push(Buffer.from('_\n'.repeat(decoder.pieceBytes / 2))).length).toBeLessThan(1.1 * 1024 * 1024);
    const started = process.cpuUsage();
    for (let n = 0; n < 2000; n++) decoder.push(Buffer.alloc(1000, 'M'));
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });
});

it.each(STEPS)('decodes a uuencoded stream, and passes others through, split every %i bytes', async (step) => {
  const bytes = randomBytes(5_000);
  const [short, plain] = [Buffer.from('Cat'), Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes])];
  const cases = [
    [uuencode(bytes, 'a.pdf'), bytes],
    [Buffer.from(CAT), short],
    [plain, plain],
    [short, short],
  ] as const;
  for (const [given, expected] of cases) {
    const pieces = Array.from({ length: Math.ceil(given.length / step) }, (_, n) =>
      given.subarray(n * step, (n + 1) * step),
    );
    const got: Buffer[] = [];
    for await (const part of withoutUuencoding(Readable.from(pieces))) got.push(part);
    expect(Buffer.concat(got).equals(expected)).toBe(true);
  }
});

it.each([
  ['begin 644 Rechnung 4711.pdf\r\n', 'Rechnung 4711.pdf'],
  ['Anbei\n\nbegin 0600   a.xml \r\nM', 'a.xml'],
  ['begin 644 B\xfcro.pdf\n', 'Büro.pdf'],
  ['begin 644 B\xc3\xbcro.pdf\n', 'Büro.pdf'],
  ['begin at once\n', undefined],
  ['begin 644 \n', undefined],
])('finds the name in %j', (start, name) => {
  expect(uuencodedName(Buffer.from(start, 'latin1'))).toBe(name);
});

it('detects the encoding by its names and its content', () => {
  for (const name of ['x-uuencode', 'X-UUENCODE', 'uuencode', 'x-uue', 'uue', ' x-uu '])
    expect(isUuencoded(name)).toBe(true);
  for (const name of ['', '7bit', 'base64', 'x-uuid', 'yenc']) expect(isUuencoded(name)).toBe(false);
  expect(beginsUuencoded(Buffer.from(`\r\n${CAT}`))).toBe(true);
  expect(beginsUuencoded(Buffer.from('%PDF-1.7\nbegin 644 a\n'))).toBe(false);
});
