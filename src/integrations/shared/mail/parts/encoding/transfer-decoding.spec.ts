import { randomBytes } from 'node:crypto';
import { uuencode } from '../../../../../../test/builders/mail-encoding';
import { transferDecoder } from './transfer-decoding';

/** Decodes in pieces of `step` bytes, so that every position is split once. */
function decode(encoding: string, encoded: Buffer | string, step: number): Buffer {
  const bytes = Buffer.isBuffer(encoded) ? encoded : Buffer.from(encoded, 'latin1');
  const decoder = transferDecoder(encoding);
  if (!decoder) throw new Error(`No decoder for ${encoding}`);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += step) out.push(decoder.push(bytes.subarray(at, at + step)));
  return Buffer.concat([...out, decoder.end()]);
}

const STEPS = [1, 2, 3, 5, 7, 64, 100_000];

describe('base64', () => {
  it.each(STEPS)('decodes lines of any bytes, split every %i bytes', (step) => {
    for (const length of [0, 1, 2, 3, 4, 5, 1000, 20_000]) {
      const bytes = randomBytes(length);
      const encoded = bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
      expect(decode('base64', encoded, step).equals(bytes)).toBe(true);
    }
  });

  it.each([4, 60, 64, 72, 75, 76, 78, 998])('decodes lines of %i characters, including irregular ones', (width) => {
    const bytes = randomBytes(60_000);
    const lines = bytes.toString('base64').match(new RegExp(`.{1,${width}}`, 'g'))!;
    const at = Math.floor(lines.length / 2);
    const disturbed = (line: string) => lines.with(at, line).join('\r\n');
    const [line] = lines.slice(at);
    for (const encoded of [
      lines.join('\r\n'),
      lines.join('\n'),
      disturbed(`${line}\r\n\r\n`),
      disturbed(`${line!.slice(0, 2)} ${line!.slice(2)}`),
      disturbed(`${line!.slice(0, 1)}\r\n${line!.slice(1)}`),
      disturbed(`\0${line}\xe4`),
    ]) {
      for (const step of [64, 16_384, 100_000]) expect(decode('base64', encoded, step).equals(bytes)).toBe(true);
    }
  });

  it.each(STEPS)('ignores invalid characters, split every %i bytes', (step) => {
    expect(decode('base64', 'SG F\0s!bG8\r\n\t=', step).toString()).toBe('Hallo');
  });

  it.each(STEPS)('continues after padding within the text, split every %i bytes', (step) => {
    expect(decode('base64', 'SGE=bGw=\r\nbw==', step).toString()).toBe('Hallo');
  });

  it('decodes a truncated part as far as possible', () => {
    expect(decode('base64', 'SGFsbG', 4).toString()).toBe('Hall');
  });
});

describe('quoted-printable', () => {
  it.each([
    ['soft line breaks', 'Hal=\r\nlo', 'Hallo'],
    ['bare soft line breaks', 'Hal=\nlo', 'Hallo'],
    ['soft line breaks followed by blanks', 'Hal= \t \r\nlo', 'Hallo'],
    ['blanks before a line break', 'Hal \t\r\nlo', 'Hal\r\nlo'],
    ['blanks inside a line', 'Hal \t lo', 'Hal \t lo'],
    ['escapes of either case', '=C3=bc=3D', 'Ã¼='],
    ['escapes that are none', 'a=XY=1=', 'a=XY=1'],
    ['carriage returns on their own', 'a\rb \rc', 'a\rb \rc'],
    ['an end in blanks', 'a  ', 'a  '],
  ])('decodes %s', (_, encoded, text) => {
    for (const step of STEPS) expect(decode('quoted-printable', encoded, step).toString('latin1')).toBe(text);
  });

  it('needs linear time, also for hostile parts', () => {
    const hostile = Buffer.from('= '.repeat(500_000) + ' '.repeat(1_000_000));
    const started = process.cpuUsage();
    decode('quoted-printable', hostile, 100_000);
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });
});

it('passes through unencoded content, and rejects unknown encodings', () => {
  const bytes = randomBytes(100);
  for (const encoding of ['7bit', '8bit', 'binary', '']) expect(decode(encoding, bytes, 7).equals(bytes)).toBe(true);
  for (const encoding of ['x-yenc', 'base85']) expect(transferDecoder(encoding)).toBeUndefined();
});

it('decodes uuencode under all its names', () => {
  const bytes = randomBytes(100);
  const encoded = uuencode(bytes, 'a.pdf');
  for (const encoding of ['x-uuencode', 'X-UUENCODE', 'uuencode', 'x-uue', 'uue', 'uuencode;'])
    expect(decode(encoding, encoded, 7).equals(bytes)).toBe(true);
});

it('recognizes unusual spellings of encodings', () => {
  const bytes = randomBytes(100);
  for (const encoding of ['8-bit', '7-Bit', '8 bit', '8bits', ' 8BIT ', '8bit;', 'none'])
    expect(decode(encoding, bytes, 7).equals(bytes)).toBe(true);
  expect(decode('Base-64', bytes.toString('base64'), 7).equals(bytes)).toBe(true);
  expect(decode('quoted printable', '=41', 7).toString()).toBe('A');
});
