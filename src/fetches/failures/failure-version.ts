import { hash } from 'node:crypto';
import type { DocumentRef } from '../../integrations/core/source-document';

/**
 * Tells whether the source has changed a document: a hash of all that it says about it. Not of the locator and the address in the
 * web, which may be other ones with every listing.
 */
export function failureVersion({ filename, size, documentType, metadata }: DocumentRef): string {
  const { source, ...rest } = metadata;
  const said = { filename, size, documentType, ...rest, source: { ...source, url: undefined } };
  return hash('sha256', JSON.stringify(inOrder(said)), 'base64url');
}

/** Members by name: what has been in the database comes back in another order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, inOrder(member)]),
  );
}
