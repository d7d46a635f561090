/** The page of all error codes, from the texts that the service itself returns. `/docs/errors` shows the same in two languages. */
import { readFileSync } from 'node:fs';
import { ERROR_STATUSES } from '../../../src/platform/errors/error-codes.ts';
import { inRoot } from '../../build/files.mjs';

const read = (name) => JSON.parse(readFileSync(inRoot(`i18n/en/${name}.json`), 'utf8'));

/** The plural form of a message that has two forms. */
const plain = (sentence) => (typeof sentence === 'string' ? sentence : sentence.other);
/** Placeholders of a message are shown by their names. */
const filled = (sentence) => plain(sentence).replaceAll(/\{(\w+)\}/g, '*$1*');

export function errorPage() {
  const [{ detail }, { page, cause, remedy }, validation, reasons] = [
    'errors',
    'error-reference',
    'validation',
    'reasons',
  ].map(read);
  const code = (name, id) => `### \`${name}\` {:#${id}}\n\n`;
  const statuses = [...new Set(Object.values(ERROR_STATUSES))].sort();
  const ofStatus = (status) => Object.keys(detail).filter((each) => ERROR_STATUSES[each] === status);
  const fieldCodes = Object.entries(validation).filter(([, text]) => typeof text === 'string' || text.other);
  return [
    `# ${page.title}`,
    page.intro.replaceAll(/\{(\w+)\}/g, '`$1`'),
    'Every running service shows this page in English and German at [`/docs/errors`](/docs/errors){:target="_self"}; `type` of an error links to it.',
    ...statuses.flatMap((status) => [
      `## Status ${status}`,
      ...ofStatus(status).map(
        (name) =>
          `${code(name, name)}${filled(detail[name])}\n\n**${page.cause}:** ${cause[name]}\n\n**${page.remedy}:** ${remedy[name]}`,
      ),
    ]),
    `## ${page.fields}`,
    page.fields_intro.replaceAll(/\{(\w+)\}/g, '`$1`'),
    ...fieldCodes.map(([name, text]) => `${code(name, `field-${name}`)}${filled(text)}`),
    `## ${page.reasons}`,
    page.reasons_intro.replaceAll(/\{(\w+)\}/g, '`$1`'),
    ...Object.entries(reasons).map(([name, text]) => `${code(name, `reason-${name}`)}${filled(text)}`),
    '',
  ].join('\n\n');
}
