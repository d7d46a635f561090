import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Sentences = { readonly [key: string]: string | Sentences };

const ROOT = join(__dirname, '../../..');
const PLURAL_FORMS = ['one', 'other'];
const PLURAL_CATEGORIES = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

const read = (lang: string, file: string) =>
  JSON.parse(readFileSync(join(ROOT, 'i18n', lang, `${file}.json`), 'utf8')) as Sentences;

/** `detail.REQUIRED` → sentence; each plural form has its own key. */
function flat(sentences: Sentences, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(sentences).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value] as const] : [...flat(value, `${prefix}${key}.`)],
    ),
  );
}

const gaps = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

/** Every source file except tests. */
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, 'src', path), 'utf8') }));

/** Every match of a pattern's first group in the source, each with one place where it occurs. */
function inSource(pattern: RegExp): Map<string, string> {
  return new Map(
    sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, code]) => [code!, path] as const)),
  );
}

const ERROR = /\b(?:unauthorized|forbidden|notFound|conflict|tooLarge|unprocessable|tooMany)\(\s*'([A-Z][A-Z_]+)'/g;
/** A code in `{ field, code }`, or passed to a function that makes such objects. */
const FIELD_CODE =
  /\bfield\b[^;]{0,80}?\bcode: '([A-Z][A-Z_]+)'|\binvalidField\(\w+, '([A-Z][A-Z_]+)'|\bfieldErrors\([^;]*'([A-Z][A-Z_]+)'/g;

describe('the translations of the service', () => {
  const files = readdirSync(join(ROOT, 'i18n/en')).map((file) => file.replace('.json', ''));

  it('have the same files in both languages', () => {
    expect(readdirSync(join(ROOT, 'i18n')).sort()).toEqual(['de', 'en']);
    expect(readdirSync(join(ROOT, 'i18n/de')).sort()).toEqual(readdirSync(join(ROOT, 'i18n/en')).sort());
  });

  describe.each(files)('%s.json', (file) => {
    const [en, de] = [flat(read('en', file)), flat(read('de', file))];

    it('has the same keys in both languages', () => {
      expect([...de.keys()].sort()).toEqual([...en.keys()].sort());
    });

    it('has the same placeholders in both languages', () => {
      for (const [key, sentence] of en) {
        // "One field" needs no number in any language.
        if (PLURAL_FORMS.includes(key.split('.').at(-1)!)) continue;
        expect([key, gaps(de.get(key)!)]).toEqual([key, gaps(sentence)]);
      }
    });

    it('has exactly the plural forms that each language needs', () => {
      for (const [lang, sentences] of Object.entries({ en, de })) {
        const { pluralCategories } = new Intl.PluralRules(lang).resolvedOptions();
        const forms = Map.groupBy(
          [...sentences.keys()].filter((key) => PLURAL_CATEGORIES.has(key.split('.').at(-1)!)),
          (key) => key.slice(0, key.lastIndexOf('.')),
        );
        for (const [key, found] of forms) {
          if (key === 'title') continue; // "other" is a kind of error there
          expect([key, found.map((form) => form.slice(key.length + 1)).sort()]).toEqual([
            key,
            [...pluralCategories].sort(),
          ]);
        }
      }
    });

    it('has no empty text', () => {
      for (const sentence of [...en.values(), ...de.values()]) expect(sentence.trim()).toMatch(/^.*\p{L}.*$/u);
    });
  });

  it.each(['en', 'de'])('have a message in %s for every error code', (lang) => {
    const known = read(lang, 'errors').detail as Sentences;
    const thrown = inSource(ERROR);
    expect(thrown.size).toBeGreaterThan(20);
    const wanted = [
      ...thrown.keys(),
      'VALIDATION_FAILED',
      'MISSING_REQUIRED_FIELDS',
      'ROUTE_NOT_FOUND',
      'BAD_REQUEST',
      'INTERNAL_ERROR',
    ];
    expect(wanted.filter((code) => known[code] === undefined)).toEqual([]);
  });

  it.each(['en', 'de'])('have a message in %s for every field code', (lang) => {
    const known = read(lang, 'validation');
    const codes = sources
      .filter(({ path }) => !path.startsWith('fetches/') && !path.startsWith('provisioning/'))
      .flatMap(({ text }) => [...text.matchAll(FIELD_CODE)].flatMap(([, ...groups]) => groups.filter(Boolean)));
    const rules = sources.find(({ path }) => path === join('platform', 'http', 'input', 'validate-input.ts'))!.text;
    const ofRules = [...rules.matchAll(/^ {2}\w+: '([A-Z_]+)',$/gm)].map(([, code]) => code!);
    expect(codes.length).toBeGreaterThan(40);
    expect(ofRules.length).toBeGreaterThan(15);
    expect([...new Set([...codes, ...ofRules, 'INVALID_VALUE'])].filter((code) => known[code] === undefined)).toEqual(
      [],
    );
  });

  it.each(['en', 'de'])('have a message in %s for every reason', (lang) => {
    const text = readFileSync(join(ROOT, 'src/integrations/core/reason.ts'), 'utf8');
    const unions = text.matchAll(/export type (?:ReasonCode|UnreachableCode) =([^;]+);/g);
    const reasons = [...unions].flatMap(([, union]) => [...union!.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code!));
    expect(reasons).toEqual(expect.arrayContaining(['LOGIN_REJECTED', 'HOST_NOT_FOUND']));
    expect(Object.keys(read(lang, 'reasons')).sort()).toEqual([...reasons].sort());
    const exact = [...text.matchAll(/^ {2}([A-Z_]+): '[A-Z_]+',$/gm)].map(([, reason]) => reason!);
    expect(exact).toEqual(expect.arrayContaining(['PERMISSION_MISSING', 'CERTIFICATE_INVALID_EXPIRED']));
    expect(Object.keys(read(lang, 'exact-reasons')).sort()).toEqual([...exact].sort());
  });

  it.each(['en', 'de'])('have a message in %s for every delivery error', (lang) => {
    const known = read(lang, 'deliveries');
    const codes = ['push/push-client', 'shared/network-error-code'].flatMap((file) => {
      const text = readFileSync(join(ROOT, `src/provisioning/${file}.ts`), 'utf8');
      return [...text.matchAll(/(?:return|=|[?:(])\s*'([A-Z][A-Z_]{5,})'/g)].map(([, code]) => code!);
    });
    expect(codes).toEqual(expect.arrayContaining(['TIMEOUT', 'ANSWERED_EARLY', 'INTERRUPTED', 'CONTENT_UNREADABLE']));
    expect([...new Set(codes)].filter((code) => known[code] === undefined)).toEqual([]);
  });

  it.each(['en', 'de'])('have a label in %s for every property and parameter', (lang) => {
    const labels = (read(lang, 'validation').labels as Sentences) ?? {};
    const properties = sources
      .filter(({ path }) => path.endsWith('.dto.ts'))
      .flatMap(({ text }) => [...text.matchAll(/^ {2}(\w+)\??: .*;$/gm)].map(([, name]) => name!))
      .filter((name) => !['isUpdateFlow', 'type', 'additionalProperties', 'description', 'example'].includes(name));
    expect(properties.length).toBeGreaterThan(15);
    expect([...new Set([...properties, 'limit', 'cursor'])].filter((name) => labels[name] === undefined)).toEqual([]);
  });

  it('contain no unused text', () => {
    const everything = sources.map(({ text }) => text).join('\n');
    const unused = (keys: Iterable<string>) => [...keys].filter((key) => !everything.includes(`'${key}'`));
    expect(unused(Object.keys(read('en', 'errors').detail as Sentences))).toEqual([]);
    expect(unused(Object.keys(read('en', 'validation')).filter((key) => key !== 'labels'))).toEqual([]);
  });
});
