import { runMigrations } from '../../../src/bootstrap/database/run-migrations';
import { startService } from '../../../src/bootstrap/start-service';
import { openWith } from '../../../src/cli/use-cases/application';
import { Settings } from '../../../src/platform/config/settings';
import { runInProcess, TextOutput } from '../cli/command-line';
import { environmentThroughPooler } from '../../setup/poolers';
import type { EntryPoint, ProcessExit } from './service-process';

/**
 * Runs an entry point to its end in this process, with only the given environment variables, which have to be valid. A
 * service that starts is stopped again.
 */
export async function runEntryPoint(
  entryPoint: EntryPoint,
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<ProcessExit> {
  const settings = Settings.fromEnvironment({ LOG_LEVEL: 'silent', ...environmentThroughPooler(env) });
  if (entryPoint === 'cli') {
    return runInProcess(
      args,
      openWith(() => settings),
    );
  }
  const [stdout, stderr] = [new TextOutput(), new TextOutput()];
  const run = { main: runService, migrate: runMigrations }[entryPoint];
  const status = await run(settings, { stdout, stderr });
  return { status, signal: null, stdout: stdout.text, stderr: stderr.text };
}

async function runService(settings: Settings, output: Parameters<typeof startService>[1]): Promise<number> {
  const service = await startService(settings, output);
  await service?.stop();
  return service ? 0 : 1;
}
