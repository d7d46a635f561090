import './bootstrap/check-node';
import { loadSettings } from './bootstrap/load-settings';
import { startupError } from './bootstrap/startup-error';

// Nothing that cannot be written, to a full disk for example, may end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const print = (line: string) => process.stdout.write(`${line}\n`);

/** Starts the service: API, workers, or both, according to `ROLE`. */
async function main(): Promise<void> {
  const settings = loadSettings(); // first, because loading the application takes a second
  const { startService } = await import('./bootstrap/start-service.js');
  const service = await startService(settings, process);
  if (!service) return process.exit(1);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void service.stop().then(() => process.exit(0)));
  }
  print(service.ready);
  if (process.argv.includes('--welcome')) (await service.welcome()).forEach(print);
}

main().catch((error: unknown) => {
  process.stderr.write(`Docfetch could not start: ${startupError(error)}\n`);
  process.exit(1);
});
