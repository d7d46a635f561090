import { Injectable } from '@nestjs/common';
import type { CommandRunner } from 'nest-commander';
import { userInfo } from 'node:os';
import { validate as isUuid } from 'uuid';
import { Terminal } from './terminal';

/** The actor of the support team's changes in the audit log. */
export function cliActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return 'cli'; // a user id without a name, as in some containers
  }
}

/** A command with its subcommands. */
export type Command = CommandRunner['command'];

/** The output of commands: JSON with `--json`, otherwise text. */
@Injectable()
export class Print {
  constructor(private readonly terminal: Terminal) {}

  /** Prints a progress line. */
  line(text: string): void {
    this.terminal.stdout.write(`${text}\n`);
  }

  result(asJson: boolean | undefined, value: object, lines: readonly string[]): void {
    this.terminal.stdout.write(asJson ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`);
  }
}

/** An error in the operator's input: shown as one line, exit status 1. */
export class UsageError extends Error {}

/** The option's value, when it is one of the choices. @throws UsageError */
export function choice<const T extends readonly string[]>(option: string, value: string, choices: T): T[number] {
  if (!choices.includes(value))
    throw new UsageError(`--${option} must be one of ${choices.join(', ')}, not "${value}".`);
  return value;
}

/** The value, when it is a UUID. @throws UsageError */
export function uuid(what: string, value: string): string {
  if (!isUuid(value)) throw new UsageError(`${what} must be a UUID, not "${value}".`);
  return value.toLowerCase();
}

/** The action of a command that only has subcommands. @throws UsageError that lists them */
export function explain(command: Command, given: readonly string[]): Promise<void> {
  const names = command.commands.map((each) => each.name()).join(', ');
  const line = [command.parent?.name(), command.name(), given[0]].filter(Boolean).join(' ');
  const problem = given.length > 0 ? `There is no command "${line}"` : `"${line}" lacks a command`;
  throw new UsageError(`${problem}. There are ${names}; --help explains them.`);
}
