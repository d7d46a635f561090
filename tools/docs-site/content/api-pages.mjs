/** The API reference: a page for each tag of the OpenAPI document, and one with the objects that several of them use. */
import { sample } from 'openapi-sampler';
import { describeSchema, inCell, linkTo, nameOf, propertyTable } from './schema-tables.mjs';
import { anchorOf } from './pages.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SAMPLE_LANGUAGES = { Shell: 'sh', TypeScript: 'ts', Python: 'python', PHP: 'php' };

/** The pages as `{ path, title, markdown }`, in the order of the document's tags. */
export function apiPages(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
  );
  const messages = Object.entries(document.webhooks).map(([path, { post }]) => ({
    path,
    method: 'post',
    operation: post,
    isMessage: true,
  }));
  return [
    ...document.tags.map(({ name, description }) => ({
      path: `api/${anchorOf(name)}`,
      title: name,
      markdown: tagPage(
        name,
        description,
        [...operations, ...messages].filter(({ operation }) => operation.tags.includes(name)),
        document,
      ),
    })),
    { path: 'api/objects', title: 'Objects', markdown: objectPage(document) },
  ];
}

function tagPage(name, description, operations, document) {
  const rows = operations.map(
    ({ method, path, operation, isMessage }) =>
      `| [${operation.summary}](#${operation.operationId}) | \`${isMessage ? path : `${method.toUpperCase()} ${path}`}\` |`,
  );
  return [
    `# ${name}`,
    description,
    'The interactive version of this reference is at `/docs`.',
    `| operation | ${operations[0]?.isMessage ? 'type' : 'address'} |\n| --- | --- |\n${rows.join('\n')}`,
    ...operations.map((each) => operationSection(each, document)),
    '',
  ].join('\n\n');
}

function operationSection({ path, method, operation, isMessage }, document) {
  const { summary, operationId, description, deprecated, requestBody } = operation;
  return [
    `## ${summary} {:#${operationId}}`,
    isMessage ? `Type: \`${path}\`` : `\`${method.toUpperCase()} ${path}\``,
    ...(deprecated ? ['**Deprecated.**'] : []),
    description,
    ...(isMessage ? [] : [credentials(operation)]),
    ...parameters(operation, document),
    ...(requestBody ? requestSection(requestBody, document, isMessage) : []),
    ...samples(operation),
    ...responses(operation, document),
  ].join('\n\n');
}

function credentials({ security = [] }) {
  const names = [...new Set(security.flatMap((scheme) => Object.keys(scheme)))];
  return `**Credentials:** ${names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(' or ')}`;
}

function parameters({ parameters = [] }, document) {
  const rows = parameters
    .map((each) => resolve(each, document))
    .map(
      ({ name, in: place, required, schema, description = '' }) =>
        `| \`${name}\` | ${place} | ${describeSchema(schema, document)}${required ? ', required' : ''} | ${inCell(description)} |`,
    );
  return rows.length === 0
    ? []
    : [`**Parameters**`, `| name | in | type | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}`];
}

function requestSection({ content }, document, isMessage) {
  const media = content['application/json'];
  if (!media) return [];
  const [named] = Object.values(media.examples ?? {});
  const example = named?.value ?? sample(media.schema, { quiet: true }, document);
  return [
    `**Body:** ${linkTo(media.schema)}`,
    propertyTable(media.schema, document),
    ...(isMessage ? [json(example)] : []),
  ];
}

/** Blocks that follow each other, which become tabs. */
const samples = ({ 'x-codeSamples': all = [] }) =>
  all.map(({ lang, source }) => `\`\`\`${SAMPLE_LANGUAGES[lang]}\n${source}\n\`\`\``);

function responses({ responses = {} }, document) {
  const all = Object.entries(responses).map(([status, each]) => ({ status, response: resolve(each, document) }));
  const success = all.find(({ status, response }) => status.startsWith('2') && response.content?.['application/json']);
  const rows = all.map(({ status, response: { description, content } }) => {
    const schema = content?.['application/json']?.schema;
    return `| \`${status}\` | ${inCell(linkCodes(description))} | ${schema ? linkTo(schema) : ''} |`;
  });
  return [
    '**Responses**',
    `| status | meaning | body |\n| --- | --- | --- |\n${rows.join('\n')}`,
    ...(success ? [json(exampleOf(success.response.content['application/json'], document))] : []),
  ];
}

/** The codes of errors lead to their explanations. */
const linkCodes = (description) => description.replaceAll(/^- `([A-Z_]+)`/gm, '- [`$1`](/guides/errors#$1)');

function exampleOf({ schema, examples, example }, document) {
  const [named] = Object.values(examples ?? {});
  return example ?? resolve(named, document)?.value ?? sample(schema, { quiet: true }, document);
}

function objectPage(document) {
  const names = Object.keys(document.components.schemas).sort();
  return [
    '# Objects',
    'The objects of requests, responses and messages. Responses may get new properties and enum values without a new version.',
    ...names.map((name) => {
      const schema = document.components.schemas[name];
      const table = propertyTable(schema, document);
      return [`## ${name}`, schema.description ?? '', table || `Type: ${describeSchema(schema, document)}`].join(
        '\n\n',
      );
    }),
    '',
  ].join('\n\n');
}

const resolve = (value, document) => {
  const name = nameOf(value);
  if (!name) return value;
  const [, , kind] = value.$ref.split('/');
  return document.components[kind][name];
};

const json = (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
