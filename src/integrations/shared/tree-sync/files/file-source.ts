import type { Metadata } from '../../../../documents/metadata';

/**
 * The source metadata of a file. `path` is relative to the selected folder, `modified` the time of the last change of its content,
 * `url` its web address for users.
 */
export function fileSource(path: string, modified: Date | string | undefined, url?: string | null): Metadata['source'] {
  return {
    kind: 'file',
    path: path.normalize('NFC'),
    ...(url && { url }),
    ...(modified !== undefined && { modified_at: utc(modified) }),
  };
}

/** RFC 3339 in UTC without zero fractions. An invalid time stays as the provider has written it. */
function utc(time: Date | string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().replace(/\.000Z$/, 'Z');
}
