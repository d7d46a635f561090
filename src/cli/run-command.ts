import { CommandFactory, CommandRunnerService } from 'nest-commander';
import { CliModule, DocfetchCommand } from './cli.module';
import { Application, openConfigured, type Open } from './use-cases/application';
import type { Terminal } from './shared/terminal';

/**
 * Runs one command. Returns the exit status: 0 after a success, otherwise 1, with one line on standard error that gives the
 * reason. `args` are those after the name of the program; `open` starts what the command needs.
 */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  open: Open = openConfigured,
): Promise<number> {
  const failures: unknown[] = [];
  const cli = await CommandFactory.createWithoutRunning(CliModule.with(terminal, open), {
    logger: false,
    serviceErrorHandler: (error) => void failures.push(error),
    outputConfiguration: {
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(oneLine(text)),
    },
    helpConfiguration: {
      optionDescription: ({ description, mandatory }) => (mandatory ? `${description} (required)` : description),
    },
  });
  cli.get(DocfetchCommand).complete();
  const application = cli.get(Application);
  try {
    await cli.get(CommandRunnerService).run(['node', 'docfetch', ...args]);
    const [failure] = failures;
    if (failure === undefined) return 0;
    if (isPrinted(failure)) return failure.exitCode;
    const { failureReason } = await import('./shared/failure-reason.js');
    terminal.stderr.write(`${await failureReason(failure)}\n`);
    return 1;
  } finally {
    await application.close();
    await cli.close();
  }
}

/** Whether Commander has printed what there is to say: help, the version or a usage error. */
function isPrinted(failure: unknown): failure is { readonly exitCode: number } {
  return String((failure as { code?: unknown } | null)?.code).startsWith('commander.');
}

/** An error of Commander, which may contain a suggestion in a second line. */
function oneLine(error: string): string {
  return `${error
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ')}\n`;
}
