/** JSON Schema of the OpenAPI document as Markdown. */
import { anchorOf } from './pages.mjs';

/** The name of a referenced component. */
export const nameOf = (schema) => schema?.$ref?.split('/').at(-1) ?? null;

/** Text in a cell of a table, with each item of a list on a line of its own. */
export const inCell = (text = '') =>
  text
    .trim()
    .replaceAll(/\n+- /g, '<br>')
    .replaceAll(/\s*\n+\s*/g, ' ')
    .replaceAll('|', '\\|');

/** A link to an object, by its name. */
export function linkTo(schema) {
  const name = nameOf(schema);
  return name ? `[${name}](/guides/api/objects#${anchorOf(name)})` : describeSchema(schema);
}

/** The type of a value in a few words. */
export function describeSchema(schema) {
  if (!schema) return 'any';
  if (nameOf(schema)) return linkTo(schema);
  const { type, format, items, enum: values, allOf, anyOf, oneOf, additionalProperties } = schema;
  if (allOf?.length === 1) return describeSchema(allOf[0]);
  const choices = anyOf ?? oneOf ?? allOf;
  if (choices) return [...new Set(choices.map(describeSchema))].join(' or ');
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (Array.isArray(type)) return type.map((each) => describeSchema({ ...schema, type: each })).join(' or ');
  if (type === 'array') return `list of ${describeSchema(items)}`;
  if (type === 'object' && additionalProperties?.type) return `object of ${describeSchema(additionalProperties)}`;
  return type === 'string' && format ? format : (type ?? 'any');
}

/** A table of the properties of an object; empty for other schemas. */
export function propertyTable(schema, document) {
  const found = nameOf(schema) ? document.components.schemas[nameOf(schema)] : schema;
  const parts = [found, ...(found?.allOf ?? []).map((part) => document.components.schemas[nameOf(part)] ?? part)];
  const rows = parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(
      ([name, property]) =>
        `| \`${name}\` | ${describeSchema(property)}${required.includes(name) ? '' : ', optional'} | ${inCell(property.description)} |`,
    ),
  );
  return rows.length === 0 ? '' : `| property | type | meaning |\n| --- | --- | --- |\n${rows.join('\n')}`;
}
