/**
 * Marks operations for the templates: `x-item` is the type of the items of a list, `x-text` is a text instead of JSON, and
 * `x-may-be-empty` may have no content. Files are left out: the handwritten parts download them.
 */
export function withMarks(document) {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path, marked(item, document.components)]),
  );
  return { ...document, paths };
}

function marked(item, components) {
  const operations = Object.entries(item)
    .filter(([, { responses }]) => !isFile(responses?.['200']))
    .map(([method, operation]) => [method, { ...operation, ...marksOf(operation, components) }]);
  return Object.fromEntries(operations);
}

function marksOf({ responses = {}, parameters = [] }, { parameters: shared, schemas }) {
  const nameOf = (parameter) => (parameter.$ref ? shared[parameter.$ref.split('/').at(-1)] : parameter).name;
  const content = responses['200']?.content ?? {};
  const page = content['application/json']?.schema?.$ref;
  const isList = page && parameters.some((parameter) => nameOf(parameter) === 'cursor');
  const items = isList && schemas[page.split('/').at(-1)].properties.data.items.$ref;
  return {
    ...(items && { 'x-item': items.split('/').at(-1) }),
    ...('text/html' in content && { 'x-text': true }),
    ...('200' in responses && '204' in responses && { 'x-may-be-empty': true }),
  };
}

const isFile = (response) => Object.values(response?.content ?? {}).some(({ schema }) => schema?.format === 'binary');
