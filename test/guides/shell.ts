import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { commandsOf, type Language, programOf, type Step } from './guide';
import { ProgramFile } from './program-file';

/** Longer than any block may wait for the service on a slow machine. */
const STEP_MS = 180_000;
/** The longest time that remaining processes of a guide get to end. */
const GRACE_MS = 2_000;
const POLL_MS = 20;

export interface Outcome {
  /** Null when it succeeded; otherwise the error. */
  readonly problem: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * One bash with `set -euo pipefail` that executes the steps of a guide, so that variables persist from block to block.
 * Every block is read from a file with the exact bytes of the guide. Yields the result of each step, and ends after the
 * first that fails. Ends the processes that the guide left running.
 * @param folder the folder of the blocks and their output
 * @param cwd the reader's working directory
 * @param language steps that exist in this language run as one program beside the shell, and the others in the shell
 */
export async function* runSteps(
  steps: readonly Step[],
  { folder, cwd, env, language }: { folder: string; cwd: string; env: NodeJS.ProcessEnv; language: Language | null },
): AsyncGenerator<Outcome> {
  const at = (name: string) => join(folder, name);
  const program = language && new ProgramFile(language, folder);
  const script = steps.map((step, i) => {
    const text = programOf(step, language);
    if (program && text !== null) return `${program.add(i, text)}\necho ${i}`;
    if (step.kind === 'save') {
      writeFileSync(at(`${i}.file`), `${step.text}\n`);
      return `cp "$GUIDE_FOLDER/${i}.file" '${step.file}'\necho ${i}`;
    }
    writeFileSync(at(`${i}.sh`), `${commandsOf(step, language)}\n`);
    return `. "$GUIDE_FOLDER/${i}.sh" >"$GUIDE_FOLDER/${i}.out" 2>"$GUIDE_FOLDER/${i}.err" </dev/null\necho ${i}`;
  });
  program?.write();
  writeFileSync(at('guide.sh'), ['set -euo pipefail', ...script, ''].join('\n'));

  const bash = spawn('bash', ['--noprofile', '--norc', at('guide.sh')], {
    cwd,
    env: { ...env, GUIDE_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Its own process group, so that all of its children end.
    detached: true,
  });
  const exit = new Promise<string>((resolve) => {
    bash.once('error', (error) => resolve(error.message));
    bash.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `status ${code}`));
  });
  /** Returns whether a process is left. Signal 0 only asks. */
  const signalGroup = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return bash.pid !== undefined && process.kill(-bash.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      return false;
    }
  };
  const done = createInterface(bash.stdout)[Symbol.asyncIterator]();
  try {
    for (const [i, step] of steps.entries()) {
      const { promise: tooLong, resolve: giveUp } = Promise.withResolvers<'too long'>();
      const timer = setTimeout(giveUp, STEP_MS, 'too long');
      const next = await Promise.race([done.next(), tooLong]);
      clearTimeout(timer);
      const printed = (name: string) => (step.kind === 'run' ? readIfThere(at(`${i}.${name}`)) : '');
      const output = { stdout: printed('out'), stderr: printed('err') };
      if (next === 'too long') return yield { problem: `not done after ${STEP_MS / 1000} seconds`, ...output };
      if (next.done) return yield { problem: await exit, ...output };
      yield { problem: null, ...output };
    }
  } finally {
    signalGroup('SIGTERM');
    const deadline = performance.now() + GRACE_MS;
    while (signalGroup(0) && performance.now() < deadline) await pause(POLL_MS);
    signalGroup('SIGKILL');
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
