import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ProviderManifest } from './language/manifest';
import schema from './language/provider.schema.json';

/** A provider's file. */
export interface ProviderFile {
  readonly name: string;
  readonly text: string;
}

/** Manifests of files without errors, by the hashes of what they were read from. */
export type PreparedManifests = Readonly<Record<string, ProviderManifest>>;

const SCHEMA = JSON.stringify(schema);

/** A hash of all that a manifest is read from and checked with. */
const keyOf = ({ name, text }: ProviderFile): string =>
  createHash('sha256')
    .update(JSON.stringify([SCHEMA, name, text]))
    .digest('hex');

/** The manifest of a file; undefined when none is prepared, also because the file or the schema has changed since. */
export const preparedManifest = (prepared: PreparedManifests, file: ProviderFile): ProviderManifest | undefined =>
  prepared[keyOf(file)];

/** Reads what `writePrepared` has written. Nothing is prepared where the code runs without a build, as in tests. */
export function readPrepared(path: string): PreparedManifests {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PreparedManifests) : {};
}

export function writePrepared(
  path: string,
  prepared: readonly { readonly file: ProviderFile; readonly manifest: ProviderManifest }[],
): void {
  const byKey = Object.fromEntries(prepared.map(({ file, manifest }) => [keyOf(file), manifest]));
  writeFileSync(path, JSON.stringify(byKey));
}
