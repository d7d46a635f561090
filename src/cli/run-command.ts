import { CommanderError } from 'commander';
import { createProgram } from './program';
import { Print } from './shared/print';
import type { Terminal } from './shared/terminal';
import { Application, type Open, openConfigured } from './use-cases/application';

/**
 * Runs one command. Returns the exit status: 0 after a success, otherwise 1, with one line on standard error that gives the
 * reason. `args` are those after the name of the program; `open` starts what the command needs.
 */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  open: Open = openConfigured,
): Promise<number> {
  const application = new Application(open);
  try {
    await createProgram({ application, print: new Print(terminal), terminal }).parseAsync(args, { from: 'user' });
    return 0;
  } catch (failure) {
    // It has printed help, the version or an error in the arguments.
    if (failure instanceof CommanderError) return failure.exitCode;
    const { failureReason } = await import('./shared/failure-reason.js');
    terminal.stderr.write(`${await failureReason(failure)}\n`);
    return 1;
  } finally {
    await application.close();
  }
}
