import { CommanderError } from 'commander';
import type { Context } from './context';
import { CommandError, describeFailure, EXIT, type ExitStatus } from './failure';
import { languageOf, MESSAGES } from './messages/language';
import type { Messages } from './messages/en';
import { Output } from './output/output';
import { createProgram } from './program';

/** Runs one command. Returns the exit status; a failure is printed on standard error. `args` follow the program's name. */
export async function runClient(args: readonly string[], context: Context): Promise<ExitStatus> {
  const language = languageOf(args, context.env, Intl.DateTimeFormat().resolvedOptions().locale);
  const messages = MESSAGES[language];
  // An error in the arguments is JSON as well.
  const output = new Output(context.stdout, context.stderr, args.includes('--json'));
  const program = createProgram({ context, language, messages, output });
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.OK;
  } catch (error) {
    // Commands that run until they are stopped end without an error.
    if (context.signal.aborted) return EXIT.INTERRUPTED;
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode === 0 ? EXIT.OK : EXIT.USAGE;
    const known = error instanceof CommanderError ? usageError(error, messages) : error;
    const { exit, ...failure } = describeFailure(known, messages);
    output.failure(failure);
    return exit;
  }
}

/** Whether help or the version has been printed. */
const isHelp = ({ code }: CommanderError): boolean =>
  ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code);

/** An error of the parser in the user's language. */
function usageError({ code, message }: CommanderError, messages: Messages): CommandError {
  const name = /'(?<name>[^' ]+)[^']*'/.exec(message)?.groups?.name ?? '';
  const text = () => {
    switch (code) {
      case 'commander.unknownOption':
        return messages.unknownOption(name);
      case 'commander.unknownCommand':
        return messages.unknownCommand(name);
      case 'commander.missingArgument':
        return messages.missingArgument(name);
      case 'commander.optionMissingArgument':
        return messages.missingValue(name);
      case 'commander.missingMandatoryOptionValue':
        return messages.missingOption(name);
      case 'commander.excessArguments':
        return messages.tooManyArguments;
      default:
        return message;
    }
  };
  return new CommandError(text(), 'USAGE');
}
