import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUSES } from '../errors/error-statuses';
import { FIELD_CODE } from '../openapi/field-codes';

const ROOT = join(__dirname, '../../..');
const STATUS_OF: Readonly<Record<string, number>> = {
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  unsatisfiable: 416,
  unprocessable: 422,
  tooMany: 429,
};

const read = (lang: string, file: string) =>
  JSON.parse(readFileSync(join(ROOT, 'i18n', lang, `${file}.json`), 'utf8')) as Record<string, Record<string, string>>;

/** `CODE status` of every error that the source throws. */
const thrown = new Set(
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, 'src', path), 'utf8');
      const calls = text.matchAll(
        /\b(unauthorized|forbidden|notFound|conflict|tooLarge|unprocessable|tooMany)\(\s*(?:\w+ \? '([A-Z_]+)' : )?'([A-Z][A-Z_]+)'/g,
      );
      return [...calls].flatMap(([, helper, ...codes]) =>
        codes.filter(Boolean).map((code) => `${code} ${STATUS_OF[helper!]}`),
      );
    }),
);

describe('the error reference (decisions 2)', () => {
  const codes = Object.keys(read('en', 'errors').detail!);

  it('contains every thrown code with its status', () => {
    expect(thrown.size).toBeGreaterThan(25);
    const wrong = [...thrown].filter((entry) => {
      const [code, status] = entry.split(' ');
      return ERROR_STATUSES[code!] !== Number(status);
    });
    expect(wrong).toEqual([]);
    expect(Object.keys(ERROR_STATUSES).sort()).toEqual([...codes].sort());
  });

  it.each(['en', 'de'])('explains in %s the cause and remedy of exactly the existing codes', (lang) => {
    const { cause, remedy } = read(lang, 'error-reference');
    const known = codes.toSorted();
    // A new code: describe its cause and remedy in i18n/*/error-reference.json.
    expect(Object.keys(cause!).sort()).toEqual(known);
    expect(Object.keys(remedy!).sort()).toEqual(known);
    for (const text of [...Object.values(cause!), ...Object.values(remedy!)]) expect(text).toMatch(/ .*[.!?]$/);
  });

  it.each(['en', 'de'])('has a message in %s for exactly the existing field codes', (lang) => {
    const sentences = Object.keys(read(lang, 'validation')).filter((key) => key !== 'labels');
    // Reasons why a certificate is not trusted: further messages of one code.
    const codes = sentences.filter((key) => !key.startsWith('CERTIFICATE_INVALID_'));
    expect(codes.sort()).toEqual([...FIELD_CODE.enum].sort());
  });

  it('has no equal texts for two codes', () => {
    const texts = Object.values(read('en', 'error-reference').cause!);
    expect(new Set(texts).size).toBe(texts.length);
  });
});
