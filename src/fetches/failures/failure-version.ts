import { hash } from 'node:crypto';
import type { DocumentRef } from '../../integrations/core/source-document';

/**
 * Identifies the version of a document: a hash of its listed properties, without the locator and the web address, which may change
 * with every listing.
 */
export function failureVersion({ filename, size, documentType, metadata }: DocumentRef): string {
  const { source, ...rest } = metadata;
  const described = { filename, size, documentType, ...rest, source: { ...source, url: undefined } };
  return hash('sha256', JSON.stringify(sortKeys(described)), 'base64url');
}

/** Sorts members by name: the database does not keep their order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sortKeys(member)]),
  );
}
