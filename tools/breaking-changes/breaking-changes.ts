import { grouped, type GroupedChange } from './group';
import { compare, WARNING } from './oasdiff';
import type { Document } from './webhooks';

/**
 * What breaks clients between two versions of the OpenAPI document: the errors and warnings of oasdiff, and schemas that are
 * gone, because generated clients have a type of that name.
 */
export function breakingChanges(base: Document, revision: Document): GroupedChange[] {
  return [...removedSchemas(base, revision), ...grouped(compare('breaking', base, revision))].filter(
    ({ level }) => level >= WARNING,
  );
}

function removedSchemas(base: Document, revision: Document): GroupedChange[] {
  const names = Object.keys(base.components?.schemas ?? {});
  return names
    .filter((name) => !revision.components?.schemas?.[name])
    .map((name) => {
      const sentence = `removed the schema \`${name}\``;
      return { level: 3, change: `schema-removed: ${sentence}`, sentence, operations: [] };
    });
}
