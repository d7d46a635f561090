/**
 * Marks the lists for templates that write a paginator for each: `x-item` is the type of the items. Files are left out: the
 * handwritten parts download them.
 */
export function forPaginators(document) {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path, marked(item, document.components)]),
  );
  return { ...document, paths };
}

function marked(item, { parameters: shared, schemas }) {
  const nameOf = (parameter) => (parameter.$ref ? shared[parameter.$ref.split('/').at(-1)] : parameter).name;
  const operations = Object.entries(item)
    .filter(([, { responses }]) => !isFile(responses?.['200']))
    .map(([method, operation]) => {
      const page = operation.responses?.['200']?.content?.['application/json']?.schema?.$ref;
      const isList = page && operation.parameters?.some((parameter) => nameOf(parameter) === 'cursor');
      if (!isList) return [method, operation];
      const items = schemas[page.split('/').at(-1)].properties.data.items.$ref;
      return [method, { ...operation, 'x-item': items.split('/').at(-1) }];
    });
  return Object.fromEntries(operations);
}

const isFile = (response) => Object.values(response?.content ?? {}).some(({ schema }) => schema?.format === 'binary');
