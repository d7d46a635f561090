/** The Postman collection of the API, made of `openapi.json`. */
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const { convertV2 } = createRequire(import.meta.url)('openapi-to-postmanv2');
const convert = promisify(convertV2);

export const FILE_NAME = 'docfetch.postman_collection.json';

/** The variables of the credentials, by the header that carries them. The first one wins where both are accepted. */
const CREDENTIALS = { 'X-API-KEY': 'api_key', 'X-TOKEN': 'token' };
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/**
 * A request for each operation: with the examples of the document, with optional parameters that are not sent until they are
 * selected, and with the variables `base_url`, `api_key` and `token`. The result is the same for the same document.
 * @throws Error when the document cannot be converted
 */
export async function postmanCollection(openapi) {
  const result = await convert(
    { type: 'json', data: prepared(openapi) },
    { folderStrategy: 'Tags', parametersResolution: 'Example', requestNameSource: 'Fallback', schemaFaker: true },
  );
  if (!result.result) throw new Error(`openapi.json cannot be converted: ${result.reason}`);
  const { info, item } = result.output[0].data;
  const folders = item.filter((folder) => folder.item.length > 0);
  const { title, version, description } = openapi.info;
  return {
    info: { name: title, version, description, schema: info.schema },
    item: folders.map(({ name, item: requests }) => ({ name, item: requests.map((each) => requestOf(each, openapi)) })),
    variable: [
      { key: 'base_url', value: 'http://localhost:3000' },
      { key: 'api_key', value: '', type: 'secret' },
      { key: 'token', value: '', type: 'secret' },
    ],
  };
}

const operationsOf = ({ paths }) =>
  Object.values(paths).flatMap((path) => METHODS.flatMap((method) => path[method] ?? []));

/** Without answers, which would be random values; with one example and one security scheme where there are several. */
function prepared(openapi) {
  const copy = JSON.parse(JSON.stringify(openapi));
  for (const operation of operationsOf(copy)) {
    operation.responses = { default: { description: 'See the API reference.' } };
    operation.security = operation.security
      ?.slice()
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, 1);
    for (const each of operation.parameters ?? []) useFirstValue(copy, each);
    for (const media of Object.values(operation.requestBody?.content ?? {})) useOneExample(media);
  }
  delete copy.webhooks;
  return copy;
}

const rank = (scheme) => Object.keys(CREDENTIALS).findIndex((name) => name in scheme);

function useOneExample(media) {
  const [first] = Object.values(media.examples ?? {});
  if (!first) return;
  delete media.examples;
  media.example = first.value;
}

/** The converter chooses one of the values of an enum at random. */
function useFirstValue({ components }, parameter) {
  const [name] = /[^/]+$/.exec(parameter.schema?.$ref ?? '') ?? [];
  const { enum: values } = name ? components.schemas[name] : (parameter.schema ?? {});
  if (values && parameter.example === undefined) parameter.example = values[0];
}

/** A request without the random ids and values of the converter. */
function requestOf({ name, request }, { paths }) {
  const path = `/${request.url.path.join('/').replaceAll(/:(\w+)/g, '{$1}')}`;
  const { security, description } = paths[path][request.method.toLowerCase()];
  const header = Object.keys(CREDENTIALS).find((each) => security?.some((scheme) => each in scheme));
  const { method, url, body } = request;
  return {
    name,
    request: {
      method,
      description,
      url: {
        host: ['{{base_url}}'],
        path: url.path,
        query: url.query.map(parameter),
        variable: url.variable.map(parameter),
      },
      header: (request.header ?? []).map(parameter),
      ...(body?.raw && { body: { mode: body.mode, raw: body.raw, options: body.options } }),
      auth: header ? { type: 'apikey', apikey: apiKeyIn(header) } : { type: 'noauth' },
    },
  };
}

/** Optional parameters are not sent, and have no value that was made up. */
function parameter({ key, value, description }) {
  const text = description?.content;
  if (text === undefined) return { key, value };
  const required = text.startsWith('(Required)');
  return {
    key,
    value: key === 'Idempotency-Key' ? '{{$guid}}' : value,
    description: text,
    ...(!required && { disabled: true }),
  };
}

const apiKeyIn = (header) =>
  Object.entries({ key: header, value: `{{${CREDENTIALS[header]}}}`, in: 'header' }).map(([key, value]) => ({
    ...{ key, value, type: 'string' },
  }));
