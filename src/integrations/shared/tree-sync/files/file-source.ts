import type { Metadata } from '../../../../documents/metadata';

/** Where a file comes from. `path` is its way from the chosen folder, `modified` when its content was changed, `url` where users see it. */
export function fileSource(path: string, modified: Date | string | undefined, url?: string | null): Metadata['source'] {
  return {
    kind: 'file',
    path: path.normalize('NFC'),
    ...(url && { url }),
    ...(modified !== undefined && { modified_at: utc(modified) }),
  };
}

/** RFC 3339 in UTC, without fractions that say nothing. What is no time stays as the provider has written it. */
function utc(time: Date | string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().replace(/\.000Z$/, 'Z');
}
