/** One page for each file of a provider, made from it (decisions 9). */
import { basename } from 'node:path';
import { parse } from 'yaml';
import { inCell } from './schema-tables.mjs';

const KINDS = {
  invoice: 'invoices',
  credit_note: 'credit notes and cancellations',
  received: 'received invoices and receipts',
  receipt: 'receipts',
  bank_statement: 'account statements',
  document: 'other documents',
};
const CATEGORIES = {
  MAILBOX: 'mailbox',
  CLOUD_STORAGE: 'cloud storage',
  ACCOUNTING: 'accounting tool',
  PORTAL: 'portal',
};
const WRITTEN =
  'The tests compare with a description of the API that was written from its documentation. The provider has not published it.';
const UNITS = { s: 'second', m: 'minute', h: 'hour', d: 'day' };

const english = (text) => (typeof text === 'string' ? text : text.en);
const list = (lines) => lines.map((line) => `- ${line.trim()}`).join('\n');
const many = (count, unit) => (count === 1 ? `a ${unit}` : `${count} ${unit}s`);

/** `7d` → `7 days` */
function duration(text) {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text);
  return many(Number(count), UNITS[unit]);
}

/**
 * The pages of providers, in the order of their names.
 * @param files the content of each file by its path
 */
export function providerPages(files) {
  return Object.entries(files)
    .map(([file, text]) => ({ file: basename(file), manifest: parse(text, { merge: true }) }))
    .map(({ manifest }) => ({
      path: `providers/${manifest.id}`,
      title: english(manifest.name),
      markdown: providerPage(manifest),
    }))
    .sort((a, b) => a.title.localeCompare(b.title, 'en'));
}

function providerPage(manifest) {
  const { id, name, category, maturity = 'BETA', described_by: describedBy, unknown = [] } = manifest;
  const parts = [
    `# ${english(name)}`,
    `The integration \`${id}\`, ${category === 'ACCOUNTING' ? 'an' : 'a'} ${CATEGORIES[category]}. This page is made from the file that describes the provider.`,
    '## What is fetched',
    streamTable(manifest),
    'Fetches run at the interval of the environment, and on request. A document is fetched once. Drafts and documents that are not ready yet are looked at again.',
    '## What the user needs',
    needs(manifest),
    '## Limits',
    limits(manifest),
    '## Maturity',
    maturity === 'STABLE'
      ? '`STABLE`: recorded with a live account of the provider.'
      : '`BETA`: made from the documentation of the provider, and not yet recorded with a live account.',
    ...(describedBy === 'documentation' ? [WRITTEN] : []),
    '## Known gaps',
    unknown.length > 0
      ? `The documentation of the provider leaves open:\n\n${list(unknown.map(english))}`
      : 'None are known.',
  ];
  return `${parts.join('\n\n')}\n`;
}

function streamTable({ streams }) {
  const rows = Object.values(streams).map((stream) => {
    const cells = [kindsOf(stream), formatsOf(stream), changesOf(stream.changes), metadataOf(stream)];
    return `| ${cells.map(inCell).join(' | ')} |`;
  });
  return ['| documents | files | at each fetch | metadata |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function kindsOf({ kind, type, children }) {
  const types = typeof type === 'object' ? [type.else ?? [], Object.values(type.values)].flat() : [type ?? 'document'];
  const names = kind === undefined ? types : [kind];
  const text = [...new Set(names)].map((each) => KINDS[each] ?? each.replaceAll('_', ' ')).join(', ');
  return children ? `${text} (each attached file)` : text;
}

function formatsOf({ document }) {
  const formats = [document].flat().map(({ format, unzip }) => format ?? (unzip ? 'any' : 'pdf'));
  return [...new Set(formats)].map((format) => (format === 'any' ? 'as stored' : format.toUpperCase())).join(', ');
}

/** What a fetch lists. A fetch runs at the interval of the environment, or on request. */
function changesOf({ strategy, recent, every, recheck }) {
  switch (strategy) {
    case 'snapshot':
      if (!recent) return 'the whole list';
      return `documents of the last ${duration(recent)}; the whole list ${every ? `every ${duration(every).replace(/^a /, '')}` : 'each time'}`;
    case 'updated_since':
      return `what has changed${recheck ? `; the whole list every ${duration(recheck).replace(/^a /, '')}` : ''}`;
    case 'created_windows':
      return 'what has been created';
    case 'months':
      return recheck === 1 ? 'the latest month' : `the latest ${recheck} months`;
    default:
      return 'what has happened since the last one';
  }
}

function metadataOf({ metadata = {} }) {
  return Object.keys(metadata)
    .filter((key) => key !== 'source.modified_at')
    .map((key) => `\`${key}\``)
    .join(', ');
}

function needs({ id, auth, choose = {}, zone, help_url: helpUrl }) {
  const lines = Object.values(auth.fields ?? {}).map(
    ({ label, help, optional }) =>
      `**${english(label)}**${optional ? ' (optional)' : ''}${help ? `. ${english(help)}` : ''}`,
  );
  if (auth.type === 'oauth2')
    lines.unshift(
      `An account at the provider: the user authorizes the service there. The operator registers an OAuth client (\`OAUTH_${id.toUpperCase()}_CLIENT_ID\`, [settings](/guides/settings)); it asks for ${scopes(auth)}.`,
    );
  if (zone === 'user') lines.push('**Time zone** of the dates of documents.');
  for (const { label, help, multiple } of Object.values(choose))
    lines.push(
      `In the second step: **${english(label)}**${multiple ? ', one or several' : ''}${help ? `. ${english(help)}` : ''}`,
    );
  const found = helpUrl === undefined ? '' : `\n\nWhere users find it: <${english(helpUrl)}>`;
  return list(lines) + found;
}

function scopes({ scopes: given, scopes_of: byKind = {} }) {
  const all = [...new Set([...given, ...Object.values(byKind).flat()])];
  return all.length === 0 ? 'no scopes' : `the scopes ${all.map((scope) => `\`${scope}\``).join(', ')}`;
}

function limits({ limits: given, streams }) {
  const { per_second: second, per_minute: minute, per_second_per_host: host, concurrency } = given;
  const lines = [];
  if (second !== undefined) lines.push(`At most ${many(second, 'request')} per second and account.`);
  if (minute !== undefined) lines.push(`At most ${many(minute, 'request')} per minute and account.`);
  if (host !== undefined) lines.push(`At most ${many(host, 'request')} per second over all accounts.`);
  lines.push(`${concurrency === 1 ? 'One download' : `${concurrency} downloads`} at the same time.`);
  for (const stream of Object.values(streams))
    if (stream.list.ceiling)
      lines.push(`The provider lists at most ${stream.list.ceiling} ${kindsOf(stream)} per search.`);
  return list([...new Set(lines)]);
}
