import { readFile } from 'node:fs/promises';
import { loadSettings } from '../../../bootstrap/load-settings';
import { declareIntegration } from '../../../integrations/declarative/declare-integration';
import { findProviderFile, isOfBuild } from '../../../integrations/declarative/load-providers';
import { UsageError } from '../../shared/usage-error';

/** @throws UsageError */
export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read: ${error.code ?? error.message}.`);
  });
}

/** The errors of a provider's file. @throws UsageError when it cannot be read */
export async function checkProvider(file: string): Promise<readonly string[]> {
  return (await declare(file)).manifestErrors;
}

/**
 * Compiles a provider's file.
 * @param provider the path of a file (`acme.yaml`), or an id, which is looked for in the build and then in `PROVIDERS_DIR`
 * @throws UsageError when the file does not exist or has errors
 */
export async function readProvider(provider: string) {
  const file = provider.endsWith('.yaml') ? provider : fileOf(provider);
  const { integration, manifestErrors, compiled } = await declare(file);
  if (!compiled) throw new UsageError(`${file} has errors: ${manifestErrors.join('; ')}`);
  return { file, integration, ...compiled };
}

async function declare(file: string) {
  return declareIntegration(file, await readText(file), { isOfBuild: isOfBuild(file) });
}

function fileOf(id: string): string {
  const ofBuild = findProviderFile(id);
  if (ofBuild !== null) return ofBuild;
  const { providersDir } = loadSettings();
  const ofOperator = providersDir ? findProviderFile(id, providersDir) : null;
  if (ofOperator !== null) return ofOperator;
  throw new UsageError(`There is no file of a provider ${id}, neither in the build nor in PROVIDERS_DIR.`);
}
