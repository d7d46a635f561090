import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Integration } from '../core/integration';
import { type DeclaredIntegration, declareIntegration, declarePrepared } from './declare-integration';
import { preparedManifest, type ProviderFile, readPrepared, writePrepared } from './prepared-manifests';

/** The ids of the schema. */
const ID = /^[a-z][a-z0-9_]{0,63}$/;
/** The files of this repository. */
const PROVIDERS = join(__dirname, '../providers');

/** Where the build writes the prepared manifests, in dist/. */
const PREPARED = join(__dirname, '../../../providers.json');

/** Compiles every provider's file of the build, in the order of their names. A file with errors disables only itself. */
export function loadProviders(folder = PROVIDERS, prepared = readPrepared(PREPARED)): readonly Integration[] {
  return providerFiles(folder).map((file) => {
    const manifest = preparedManifest(prepared, file);
    const declared = manifest ? declarePrepared(file.name, manifest) : declareOfBuild(file);
    return declared.integration;
  });
}

/**
 * Writes the manifests of the files without errors for `loadProviders`: to read and check them takes every process a tenth of its
 * start.
 */
export function prepareProviders(folder = PROVIDERS, path = PREPARED): void {
  const prepared = providerFiles(folder).flatMap((file) => {
    const { compiled } = declareOfBuild(file);
    return compiled ? [{ file, manifest: compiled.manifest }] : [];
  });
  writePrepared(path, prepared);
}

const providerFiles = (folder: string): ProviderFile[] =>
  filesOf(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

const declareOfBuild = ({ name, text }: ProviderFile): DeclaredIntegration =>
  declareIntegration(name, text, { isOfBuild: true });

/** Whether a file has the name of one of the build, which an operator's file cannot have. */
export const isOfBuild = (file: string): boolean => existsSync(join(PROVIDERS, basename(file)));

/** The path of a provider's file in a folder; null when there is none. */
export function findProviderFile(id: string, folder = PROVIDERS): string | null {
  const file = join(folder, `${id}.yaml`);
  return ID.test(id) && existsSync(file) ? file : null;
}

/**
 * Compiles the operator's files (`PROVIDERS_DIR`) with the same checks.
 * @param taken the ids of the build's integrations, which a file cannot replace
 * @returns the integrations, also those with errors, and the errors of files that are no integrations
 */
export function loadOperatorProviders(
  folder: string,
  taken: readonly string[],
): { readonly integrations: readonly Integration[]; readonly manifestErrors: readonly string[] } {
  const integrations: Integration[] = [];
  const manifestErrors: string[] = [];
  for (const name of filesOf(folder)) {
    const id = name.slice(0, -'.yaml'.length);
    const text = readIfPossible(join(folder, name));
    if (!ID.test(id)) manifestErrors.push(`${name}:1: the name of a file is an id: lower-case letters, digits and _`);
    else if (taken.includes(id)) manifestErrors.push(`${name}:1: id: there is an integration ${id} already`);
    else if (text === null) manifestErrors.push(`${name}:1: cannot be read`);
    else integrations.push(declareIntegration(name, text).integration);
  }
  return { integrations, manifestErrors };
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort();

/** The text of a file; null when it cannot be read, such as a folder. */
function readIfPossible(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
