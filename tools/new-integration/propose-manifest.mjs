/** Proposes the file of a provider from its OpenAPI description. What the description does not say becomes a question. */
import { Description } from './description.mjs';
import { changesOf, pageOf } from './propose-list.mjs';
import { proposeAuth } from './propose-auth.mjs';

/** What a list is about, by a word of its path; the first that occurs. */
const TYPES = [
  [/credit[-_]?(note|memo)/i, 'credit_note'],
  [/receipt/i, 'receipt'],
  [/statement/i, 'bank_statement'],
  [/invoice|bill(?!ing)/i, 'invoice'],
  [/voucher|document/i, 'document'],
];
/** The keys of metadata, by names of properties. */
const METADATA = {
  number: /^(invoice_?|document_?)?(number|no)$/i,
  date: /^(invoice_?|issue_?|issued_?|document_?)?(date|issued_?at|issued_?on)$/i,
  due_date: /^due_?(date|at|on)$/i,
  currency: /^currency(_?code)?$/i,
  amount: /^(total|amount|total_?amount|gross_?amount|total_?gross|amount_?total)$/i,
};
const ACCOUNT = /^\/(v\d+\/)?(me|account|user|profile|company|organization|users\/me|accounts\/me)\/?$/i;

/**
 * @param document the description
 * @returns the manifest, to be read and changed by somebody who knows the provider
 * @throws Error in one sentence when there is nothing to propose
 */
export function proposeManifest(id, document) {
  if (!/^3\./.test(String(document?.openapi))) throw new Error('The file is no OpenAPI 3 description.');
  const description = new Description(document);
  const base = baseOf(document);
  const unknown = [
    'The limits of the API.',
    'The order of the lists, and whether their default filters hide documents.',
  ];
  const reads = description.reads;
  const choose = {};
  const streams = streamsOf(description, reads, { unknown, choose });
  if (Object.keys(streams).length === 0)
    throw new Error('The description has no list of invoices, receipts or other documents.');
  const name =
    String(document.info?.title ?? id)
      .replace(/\s*\b(rest\s+)?api\b.*$/i, '')
      .trim() || id;
  return {
    docfetch: 1,
    id,
    name,
    category: 'ACCOUNTING',
    base,
    limits: { per_second: 1, concurrency: 1 },
    auth: proposeAuth(document, unknown),
    account: accountOf(description, reads, unknown),
    ...(Object.keys(choose).length > 0 && { choose }),
    streams,
    unknown,
  };
}

function baseOf(document) {
  const url = document.servers?.[0]?.url ?? '';
  if (!/^https:\/\/[^{}?#\s]+$/.test(url)) throw new Error('The description has no server with an https address.');
  return url.replace(/\/+$/, '');
}

function streamsOf(description, reads, { unknown, choose }) {
  const streams = {};
  for (const read of reads) {
    const last = read.path.split('/').at(-1);
    const type = last.includes('{') ? undefined : TYPES.find(([word]) => word.test(last))?.[1];
    const list = type && read.schema ? description.records(read.schema) : null;
    const parents = [...read.path.matchAll(/\{([^}]+)\}/g)].map(([, parent]) => parent);
    if (!list || parents.length > 1) continue;
    const [parent] = parents;
    const per = parent === undefined ? undefined : choiceId(parent);
    if (per !== undefined) choose[per] ??= choiceOf(description, parent, reads, unknown);
    const inPart = (path) => (per === undefined ? path : path.replace(`{${parent}}`, `{$${per}}`));
    const document = documentOf(description, read, list, reads) ?? guess(read.path, unknown);
    if (document.get) document.get = inPart(document.get);
    // Addresses expire: the record is requested just before.
    const record = document.url === undefined ? undefined : { get: inPart(`${read.path}/{$id}`) };
    const name = read.path
      .split('/')
      .at(-1)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^[^a-z]+/g, '');
    if (streams[name]) continue;
    const { page, query } = pageOf(read, unknown);
    const changes = changesOf(read, list, query);
    streams[name] = {
      type,
      ...(Object.keys(streams).length > 0 && { key: `${name}/{$id}` }),
      ...(per !== undefined && { per }),
      list: {
        get: inPart(read.path),
        ...(Object.keys(query).length > 0 && { query }),
        items: list.items,
        ...(page && { page }),
      },
      changes,
      id: idOf(list.properties),
      ...(record && { record }),
      document,
      metadata: metadataOf(list.properties),
    };
  }
  return streams;
}

const idOf = (properties) => ['id', 'uuid', ...Object.keys(properties)].find((name) => name in properties) ?? 'id';

const choiceId = (parent) =>
  parent
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .replace(/_(id|uuid)$/, '');

/** The accounts of a user, of which each has its own lists. */
function choiceOf(description, parent, reads, unknown) {
  const id = choiceId(parent);
  const own = reads.find(
    ({ path, schema }) =>
      schema && !path.includes('{') && path.toLowerCase().includes(id.slice(0, -1)) && description.records(schema),
  );
  const list = own ? description.records(own.schema) : { items: '.', properties: {} };
  if (!own) unknown.push(`The request that lists the values of ${parent}; /${id} is a guess.`);
  const label = id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ');
  return {
    label: { en: label, de: label },
    multiple: true,
    get: own?.path ?? `/${id}`,
    items: list.items,
    value: idOf(list.properties),
    text: ['name', 'title', 'email'].find((name) => name in list.properties) ?? idOf(list.properties),
  };
}

function guess(path, unknown) {
  unknown.push(`How a file of ${path} is downloaded; /pdf is a guess.`);
  return { get: `${path}/{$id}/pdf` };
}

/** The bytes at a path below the record's, or at an address in the record. */
function documentOf(description, { path }, { properties }, reads) {
  const depth = path.split('{').length;
  const below = reads.filter((read) => read.path.startsWith(`${path}/{`) && read.path.split('{').length === depth + 1);
  const file = below.find(
    (read) =>
      /\/(pdf|download|file|document|content|render)$/i.test(read.path) || read.types.includes('application/pdf'),
  );
  if (file) return { get: path + file.path.slice(path.length).replace(/\{[^}]*\}/, '{$id}') };
  const link = Object.keys(description.properties(properties._links)).find((name) => /pdf|download/i.test(name));
  if (link !== undefined) return { url: `_links.${link}.href` };
  const url = Object.keys(properties).find((name) =>
    /(pdf|download|document|file).*(url|link)|^(pdf|document_?url)$/i.test(name),
  );
  return url === undefined ? null : { url };
}

function metadataOf(properties) {
  const found = Object.entries(METADATA).flatMap(([key, word]) => {
    const name = Object.keys(properties).find((each) => word.test(each));
    return name === undefined ? [] : [[key, name]];
  });
  return Object.fromEntries(found);
}

/** A stable id of the account. */
function accountOf(description, reads, unknown) {
  for (const { path, schema } of reads) {
    if (!ACCOUNT.test(path) || !schema) continue;
    const properties = description.properties(schema);
    const id = ['id', 'uuid'].find((name) => name in properties);
    const display = ['name', 'company_name', 'email'].find((name) => name in properties);
    if (id) return { get: path, id, ...(display && { display }) };
  }
  unknown.push('The request that names the account; /account is a guess.');
  return { get: '/account', id: 'id' };
}
