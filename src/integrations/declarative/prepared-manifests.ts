import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ProviderManifest } from './language/manifest';
import schema from './language/provider.schema.json';

/** Manifests of files without errors, by what they were read from. */
export type PreparedManifests = Readonly<Record<string, ProviderManifest>>;

/**
 * What a manifest is read from: when the file or the schema changes, a prepared manifest is no longer found, and the file is read.
 */
const keyOf = (text: string): string => createHash('sha256').update(JSON.stringify(schema)).update(text).digest('hex');

/** The manifest of a file with this text; undefined when none is prepared. */
export const preparedManifest = (prepared: PreparedManifests, text: string): ProviderManifest | undefined =>
  prepared[keyOf(text)];

/** Reads what `writePrepared` has written; nothing is prepared when the code runs without a build. */
export function readPrepared(path: string): PreparedManifests {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PreparedManifests;
  } catch {
    return {};
  }
}

/** Writes manifests with the texts of their files, so that processes need not read and check these at their start. */
export function writePrepared(path: string, read: readonly { text: string; manifest: ProviderManifest }[]): void {
  const prepared = Object.fromEntries(read.map(({ text, manifest }) => [keyOf(text), manifest]));
  writeFileSync(path, JSON.stringify(prepared));
}
