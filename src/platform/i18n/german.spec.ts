import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '../../..');

/** Words that German sentences do not contain. Codes, paths and field names are removed before. */
const ENGLISH =
  /\b(the|and|is|are|of|or|must|please|with|this|that|there|your|you|have|has|been|cannot|should|which|what|for|from|not|error|request|required|invalid|unknown|failed)\b/i;
const FAMILIAR = /\b(du|dich|dir|dein\w*|euch|euer|eure\w*)\b/i;
/** The formal verbs and pronouns that address a user. */
const POLITE_IN_LOWER_CASE = /\b(bitte|können|müssen|sollten|möchten|haben|prüfen|geben|wählen|versuchen) sie\b/;
/** Texts that are correctly the same in both languages. */
const SAME_IN_BOTH = new Set(
  ['Name', 'Integration', 'Status', 'Cursor', 'UUID', 'State', 'Webhook', 'Port', 'Spam', 'TLS', 'Limit', 'URL'].concat(
    ['Sandbox', 'Version', 'Details', 'Server', 'Region', 'Bucket', 'Google Drive', 'sevdesk', 'Stripe'],
    ['Dropbox', 'Gmail', 'Outlook', 'Labels', 'Text'],
  ),
);

type Texts = { readonly [key: string]: string | Texts };

function flat(texts: Texts, path: string): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}.${key}`, value] as [string, string]] : flat(value, `${path}.${key}`),
  );
}

const ofFiles = (lang: string) =>
  readdirSync(join(ROOT, 'i18n', lang)).flatMap((file) =>
    flat(JSON.parse(readFileSync(join(ROOT, 'i18n', lang, file), 'utf8')) as Texts, file),
  );

/** Every `{ en: '…', de: '…' }` of fields, options and names. */
const QUOTED = String.raw`(?:'((?:\\.|[^'\\])*)'|\x60((?:\\.|[^\x60\\])*)\x60)`;
const LOCALIZED = new RegExp(String.raw`\ben: ${QUOTED},\s*de: ${QUOTED}`, 'g');
const ofSource = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .flatMap((path) =>
    [...readFileSync(join(ROOT, 'src', path), 'utf8').matchAll(LOCALIZED)].map(([, a, b, c, d]) => ({
      key: path,
      en: (a ?? b)!,
      de: (c ?? d)!,
    })),
  );

/** The same of the providers' files. */
function localizedTexts(value: unknown, key: string): { key: string; en: string; de: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('en' in value && 'de' in value) return [{ key, en: String(value.en), de: String(value.de) }];
  return Object.values(value).flatMap((inner) => localizedTexts(inner, key));
}
const PROVIDERS = join(ROOT, 'src/integrations/providers');
const ofProviders = readdirSync(PROVIDERS)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => localizedTexts(parse(readFileSync(join(PROVIDERS, name), 'utf8')), name));

const english = new Map(ofFiles('en'));
const german = ofFiles('de').map(([key, de]) => ({ key, en: english.get(key) ?? '', de }));
const everything = [...german, ...ofSource, ...ofProviders];

/** The words of a German text: without names of fields and headers, paths, codes and placeholders. */
const words = (text: string) =>
  text.replaceAll(
    /\{\w+\}|\$\{[^}]*\}|\b(?:GET|POST|PUT|PATCH|DELETE) \S+|\b\w+[_/]\w+\b|\b[A-Z]+(?:-[A-Z]+)+\b/g,
    ' ',
  );

describe('the German texts', () => {
  it('are found in the files and in the fields of every integration', () => {
    expect(german.length).toBeGreaterThan(150);
    expect(ofSource.length).toBeGreaterThan(50);
    expect(ofProviders.length).toBeGreaterThan(1);
  });

  it('contain no English', () => {
    expect(everything.filter(({ de }) => ENGLISH.test(words(de)))).toEqual([]);
  });

  it('are translated', () => {
    expect(everything.filter(({ en, de }) => en === de && !SAME_IN_BOTH.has(de) && /[a-z]{3}/.test(words(de)))).toEqual(
      [],
    );
  });

  it('use the formal address', () => {
    expect(everything.filter(({ de }) => FAMILIAR.test(de) || POLITE_IN_LOWER_CASE.test(de))).toEqual([]);
    expect(everything.filter(({ en, de }) => /\bplease\b/i.test(en) && !/\bSie\b|\bbitte\b/i.test(de))).toEqual([]);
  });

  it('have German quotation marks and dashes', () => {
    expect(everything.filter(({ de }) => /["”]|(?:^|\s)-(?:\s|$)|'/.test(words(de)))).toEqual([]);
    for (const { key, de } of everything) {
      const count = (mark: string) => de.split(mark).length;
      expect([key, count('„')]).toEqual([key, count('“')]);
    }
  });

  it('end with the same punctuation as the English ones', () => {
    const end = (text: string) => /[.!?:…]$/.exec(text)?.[0];
    expect(everything.filter(({ en, de }) => end(en) !== end(de))).toEqual([]);
  });

  it('have umlauts, not their transliterations', () => {
    expect(
      everything.filter(({ de }) =>
        /\b\w*(?:fuer|ueber|koenn|muess|waehl|aender|loesch|pruef|gueltig)\w*/i.test(words(de)),
      ),
    ).toEqual([]);
  });
});
