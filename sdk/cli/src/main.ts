import { homedir } from 'node:os';
import process from 'node:process';
import { runClient } from './run';

// A reader that has seen enough, such as head, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopped.abort());
}
const { stdin, stdout, stderr, platform } = process;
void runClient(process.argv.slice(2), {
  ...{ stdin, stdout, stderr, platform },
  // eslint-disable-next-line no-restricted-syntax -- a program of its own; runClient gets the environment from here only
  env: process.env,
  home: homedir(),
  signal: stopped.signal,
}).then((status) => {
  process.exitCode = status;
});
