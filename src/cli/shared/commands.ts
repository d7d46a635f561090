import type { Command } from 'commander';
import { UsageError } from './usage-error';

/** The option of every command, its last one. */
export const AS_JSON = ['--json', 'Print JSON.'] as const;

/** A command without subcommands. Unlike that of a {@link group}, its action gets no arguments that it does not name. */
export const leaf = (parent: Command, name: string, description: string): Command =>
  parent.command(name).description(description).allowExcessArguments(false);

/** A command that only has subcommands. */
export const group = (parent: Command, name: string, description: string): Command =>
  refusing(parent.command(name).description(description));

/** Makes a command refuse an unknown subcommand, with a list of the known ones. */
export function refusing(command: Command): Command {
  return command.allowExcessArguments().action((_, { args }: Command) => {
    const names = command.commands.map((each) => each.name()).join(', ');
    const line = [command.parent?.name(), command.name(), args[0]].filter(Boolean).join(' ');
    const problem = args.length > 0 ? `There is no command "${line}"` : `"${line}" lacks a command`;
    throw new UsageError(`${problem}. There are ${names}; --help explains them.`);
  });
}
