#!/usr/bin/env node
import './bootstrap/check-node';
import { CommandFactory } from 'nest-commander';
import { Application } from './cli/shared/application';
import { CliModule, DocfetchCommand } from './cli/cli.module';

/**
 * Runs one command: exit status 0 after a success, otherwise 1 with one line that gives the reason. Commander itself ends the
 * process after help and after usage errors.
 */
async function main(): Promise<number> {
  let failure: Error | undefined;
  const cli = await CommandFactory.createWithoutRunning(CliModule, {
    logger: false,
    serviceErrorHandler: (error) => {
      failure = error;
    },
    outputConfiguration: { outputError: (text, write) => write(oneLine(text)) },
    helpConfiguration: {
      optionDescription: ({ description, mandatory }) => (mandatory ? `${description} (required)` : description),
    },
  });
  cli.get(DocfetchCommand).complete();
  const application = cli.get(Application);
  try {
    await CommandFactory.runApplication(cli);
    if (!failure) return 0;
    process.stderr.write(`${await application.reason(failure)}\n`);
    return 1;
  } finally {
    await application.close();
    await cli.close();
  }
}

/** An error of Commander, which may contain a suggestion in a second line. */
function oneLine(fault: string): string {
  return `${fault
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ')}\n`;
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
