import type { DocumentRef } from '../../integrations/core/source-document';
import { failureVersion } from './failure-version';

describe('The version of a document that could not be downloaded', () => {
  const metadata = { number: 'R-1', source: { kind: 'PORTAL', path: '/a', modified_at: '2026-11-20T08:30:00Z' } };
  const ref = {
    ...{ dedupeKey: 'key', externalId: null, filename: 'a.pdf', size: 5, locator: { at: 1 } },
    metadata,
  } as unknown as DocumentRef;
  const withSource = (more: object) => ({ ...ref, metadata: { ...metadata, source: { ...metadata.source, ...more } } });

  it('does not depend on locator, web address and order of members', () => {
    const version = failureVersion(ref);
    expect(failureVersion({ ...ref, locator: { at: 2 } })).toBe(version);
    expect(failureVersion(withSource({ url: 'https://example.com/?once=1' }) as DocumentRef)).toBe(version);
    const { source, ...rest } = metadata;
    const reversed = { source: Object.fromEntries(Object.entries(source).reverse()), ...rest };
    expect(failureVersion({ ...ref, metadata: reversed })).toBe(version);
  });

  it.each([
    ['name', { ...ref, filename: 'b.pdf' }],
    ['size', { ...ref, size: 6 }],
    ['date of change', withSource({ modified_at: '2026-11-21T08:30:00Z' })],
    ['number', { ...ref, metadata: { ...metadata, number: 'R-2' } }],
  ])('changes with %s', (_, changed) => {
    expect(failureVersion(changed)).not.toBe(failureVersion(ref));
  });
});
