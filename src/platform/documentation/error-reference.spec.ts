import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUSES } from '../errors/error-codes';
import { FIELD_CODE } from '../openapi/field-codes';

const ROOT = join(__dirname, '../../..');
const read = (lang: string, file: string) =>
  JSON.parse(readFileSync(join(ROOT, 'i18n', lang, `${file}.json`), 'utf8')) as Record<string, Record<string, string>>;

describe('the error reference (decisions 2)', () => {
  const codes = Object.keys(ERROR_STATUSES).sort();

  it.each(['en', 'de'])('has a message in %s for exactly the existing codes', (lang) => {
    expect(Object.keys(read(lang, 'errors').detail!).sort()).toEqual(codes);
  });

  it.each(['en', 'de'])('explains in %s the cause and remedy of exactly the existing codes', (lang) => {
    const { cause, remedy } = read(lang, 'error-reference');
    // A new code: describe its cause and remedy in i18n/*/error-reference.json.
    expect(Object.keys(cause!).sort()).toEqual(codes);
    expect(Object.keys(remedy!).sort()).toEqual(codes);
    for (const text of [...Object.values(cause!), ...Object.values(remedy!)]) expect(text).toMatch(/ .*[.!?]$/);
  });

  it.each(['en', 'de'])('has a message in %s for exactly the existing field codes', (lang) => {
    const sentences = Object.keys(read(lang, 'validation')).filter((key) => key !== 'labels');
    // More exact causes, and a choice that is gone: further messages of one code.
    const exact = /^(CERTIFICATE_INVALID|TLS_NOT_SUPPORTED|REJECTED|UNREACHABLE|INVALID_CHOICE)_/;
    const codes = sentences.filter((key) => !exact.test(key));
    expect(codes.sort()).toEqual([...FIELD_CODE.enum].sort());
  });

  it('has no equal texts for two codes', () => {
    const texts = Object.values(read('en', 'error-reference').cause!);
    expect(new Set(texts).size).toBe(texts.length);
  });
});
