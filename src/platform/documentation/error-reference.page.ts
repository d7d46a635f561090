import { createHash } from 'node:crypto';
import { ERROR_STATUSES, type ErrorCode } from '../errors/error-codes';
import { FIELD_CODE } from '../openapi/field-codes';
import type { Lang } from '../i18n/lang';

type Texts = Readonly<Record<string, string>>;
type Sentence = string | { readonly other: string };

/** The translations of one language that the page shows. */
export interface ReferenceTexts {
  readonly errors: { readonly title: Texts; readonly detail: Readonly<Record<string, Sentence>> };
  readonly validation: Readonly<Record<string, string | Texts>>;
  readonly reasons: Texts;
  readonly 'error-reference': { readonly page: Texts; readonly cause: Texts; readonly remedy: Texts };
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 6rem; }
nav { display: flex; gap: 1.5rem; font-size: .9rem; }
h1 { font-size: 1.7rem; margin: 1.5rem 0 .5rem; }
h2 { font-size: 1.2rem; margin: 3rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; }
code { font: .92em ui-monospace, monospace; }
section { padding: 1rem 0; border-top: 1px solid #8884; scroll-margin-top: 1rem; }
section:target { border-left: 3px solid; padding-left: 1rem; }
section p { margin: .35rem 0; }
dl { margin: .35rem 0 0; display: grid; grid-template-columns: 6.5rem 1fr; gap: .25rem 1rem; font-size: .94rem; }
dt { opacity: .7; } dd { margin: 0; }
h3 span { font-weight: normal; opacity: .7; margin-left: .5rem; }
@media (max-width: 32rem) { dl { grid-template-columns: 1fr; } }
`;

/** The page loads nothing but its own style sheet: no script, no font, no image. */
export const REFERENCE_POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  `frame-ancestors 'none'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

/** Every code with its status, message, cause and remedy; `type` of an error body points to `#CODE`. */
export function referencePage(texts: ReferenceTexts, lang: Lang): string {
  const { page } = texts['error-reference'];
  const otherLang = lang === 'en' ? 'de' : 'en';
  const heading = (key: string) => `<h2>${escape(page[key]!)}</h2>`;
  const intro = (key: string) => `<p>${filled(page[key]!, 'code')}</p>`;
  return [
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${escape(page.title!)}</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body>`,
    `<nav><a href="/docs">${escape(page.documentation!)}</a>`,
    `<a href="?lang=${otherLang}" hreflang="${otherLang}" lang="${otherLang}">${escape(page.other_language!)}</a></nav>`,
    `<main><h1>${escape(page.title!)}</h1>${intro('intro')}`,
    heading('codes'),
    ...refusals(texts),
    heading('fields'),
    intro('fields_intro'),
    ...FIELD_CODE.enum.map((code) => simple(`field-${code}`, code, plain(texts.validation[code] as Sentence))),
    heading('reasons'),
    intro('reasons_intro'),
    ...Object.entries(texts.reasons).map(([code, sentence]) => simple(`reason-${code}`, code, sentence)),
    '</main></body></html>',
  ].join('\n');
}

function refusals({ errors, 'error-reference': { page, cause, remedy } }: ReferenceTexts): string[] {
  return Object.entries(errors.detail)
    .map(([code, sentence]) => ({ code, sentence, status: ERROR_STATUSES[code as ErrorCode] }))
    .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code))
    .map(({ code, sentence, status }) =>
      [
        `<section id="${code}"><h3><code>${code}</code><span>${status}</span></h3>`,
        `<p>${filled(plain(sentence), 'var')}</p>`,
        `<dl><dt>${escape(page.cause!)}</dt><dd>${escape(cause[code] ?? '')}</dd>`,
        `<dt>${escape(page.remedy!)}</dt><dd>${escape(remedy[code] ?? '')}</dd></dl></section>`,
      ].join(''),
    );
}

/** The plural form of a message that has two forms. */
const plain = (sentence: Sentence): string => (typeof sentence === 'string' ? sentence : sentence.other);

const simple = (id: string, code: string, sentence: string) =>
  `<section id="${id}"><h3><code>${code}</code></h3><p>${filled(sentence, 'var')}</p></section>`;

/** Placeholders of a message are shown by their names. */
const filled = (sentence: string, tag: 'var' | 'code') =>
  escape(sentence).replaceAll(/\{(\w+)\}/g, (_, name: string) => `<${tag}>${name}</${tag}>`);

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
