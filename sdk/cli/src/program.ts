import { Command, Help } from 'commander';
import type { DocumentType, ProvisioningStatus, SandboxFormat, WebhookEventType } from '../../typescript/dist/index.js';
import { version } from '../package.json';
import { parsers } from './arguments';
import { listen, type ListenOptions } from './commands/listen';
import { login, logout } from './commands/login';
import { redeliver, type RedeliverOptions } from './commands/redeliver';
import { tail, type TailOptions } from './commands/tail';
import { type ListOptions, printTransactions, showTransaction } from './commands/transactions';
import { triggerDocuments, type TriggerOptions } from './commands/trigger';
import { AUTHS } from './listen/target';
import type { Messages } from './messages/en';
import type { Setup } from './session';

const DOCUMENT_TYPES = [
  ...(['invoice', 'credit_note', 'receipt', 'bank_statement', 'reminder'] as const),
  ...(['delivery_note', 'order_confirmation', 'contract', 'document'] as const),
] satisfies readonly DocumentType[];
const STATUSES = [
  ...(['PENDING', 'DELIVERED', 'FAILED', 'AVAILABLE', 'ACKNOWLEDGED', 'REJECTED'] as const),
] satisfies readonly ProvisioningStatus[];
const EVENT_TYPES = [
  ...(['document.available', 'connection.status_changed', 'fetch.finished', 'delivery.failed'] as const),
  ...(['document.expected_missing'] as const),
  ...(['endpoint.failing', 'endpoint.recovered', 'source.requested'] as const),
] satisfies readonly WebhookEventType[];
const FORMATS = ['PDF', 'XML', 'HYBRID'] as const satisfies readonly SandboxFormat[];

/** The commands and their options. */
export function createProgram(setup: Setup): Command {
  const { messages } = setup;
  const { help } = messages;
  const parse = parsers(messages);
  const program = localized(new Command('docfetch-client'), setup)
    .description(help.program)
    .version(version, '-V, --version', help.showVersion)
    .addHelpText('after', `\n${help.epilog}`);

  leaf(program, 'login', help.login, setup)
    .option('--url <url>', help.url)
    .action((options: { url?: string }) => login(setup, options));
  leaf(program, 'logout', help.logout, setup).action(() => logout(setup));

  const trigger = group(program, 'trigger', help.trigger, setup);
  leaf(trigger, 'document', help.triggerDocument, setup)
    .option('--type <type>', help.type, parse.oneOf('--type', DOCUMENT_TYPES), 'invoice')
    .option('--count <number>', help.count, parse.integer('--count', 1, 100), 1)
    .option('--format <format>', help.format, parse.oneOf('--format', FORMATS), 'PDF')
    .option('--no-external-id', help.noExternalId)
    .option('--connection <uuid>', help.sandboxConnection, parse.uuid('--connection'))
    .action((options: TriggerOptions) => triggerDocuments(setup, options));

  leaf(program, 'listen', help.listen, setup)
    .option('--forward-to <url>', help.forwardTo)
    .option('--forward-events-to <url>', help.forwardEventsTo)
    .option('--events <types>', help.events, parse.listOf('--events', EVENT_TYPES))
    .option('--from <position>', help.listenFrom, parse.oneOf('--from', ['now', 'last', 'start']), 'now')
    .option('--acknowledge', help.acknowledge)
    .option('--auth <method>', help.auth, parse.oneOf('--auth', AUTHS), 'none')
    .option('--connection <uuid>', help.connection, parse.uuid('--connection'))
    .option('--interval <seconds>', help.interval, parse.number('--interval', 0.1, 3600), 1)
    .option('--print-secret', help.printSecret)
    .action((options: ListenOptions) => listen(setup, options));

  leaf(program, 'tail', help.tail, setup)
    .option('--from <position>', help.from, parse.oneOf('--from', ['now', 'start']), 'now')
    .option('--no-follow', help.noFollow)
    .option('--interval <seconds>', help.interval, parse.number('--interval', 0.1, 3600), 1)
    .option('--connection <uuid>', help.connection, parse.uuid('--connection'))
    .action((options: TailOptions) => tail(setup, options));

  const transactions = group(program, 'transactions', help.transactions, setup);
  leaf(transactions, 'get', help.transactionsGet, setup)
    .argument('<uuid>', '', parse.uuid('<uuid>'))
    .action((uuid: string) => showTransaction(setup, uuid));
  filtered(leaf(transactions, 'list', help.transactionsList, setup), messages)
    .option('--limit <number>', help.limit, parse.integer('--limit', 1, 1_000_000), 100)
    .action((options: ListOptions) => printTransactions(setup, options));

  filtered(leaf(program, 'redeliver', help.redeliver, setup), messages)
    .argument('[uuids...]', '', (value: string, previous: string[] = []) => [...previous, parse.uuid('<uuid>')(value)])
    .action((uuids: string[] = [], options: RedeliverOptions) => redeliver(setup, uuids, options));

  leaf(program, 'mcp', help.mcp, setup).action(async () => {
    // The protocol's library is larger than everything else; only this command loads it.
    const { serveMcp } = await import('./mcp/serve.js');
    await serveMcp(setup);
  });

  return program;
}

/** Options that choose documents. */
function filtered(command: Command, messages: Messages): Command {
  const { help } = messages;
  const parse = parsers(messages);
  return command
    .option('--status <status>', help.status, parse.oneOf('--status', STATUSES))
    .option('--connection <uuid>', help.connection, parse.uuid('--connection'))
    .option('--created-from <datetime>', help.createdFrom, parse.datetime('--created-from'))
    .option('--created-to <datetime>', help.createdTo, parse.datetime('--created-to'));
}

/** A command that does something. */
function leaf(parent: Command, name: string, description: string, setup: Setup): Command {
  const { messages } = setup;
  return localized(parent.command(name), setup)
    .description(description)
    .option('--json', messages.help.json)
    .option('--lang <language>', messages.help.lang, parsers(messages).oneOf('--lang', ['en', 'de']));
}

/** A command that has only subcommands. */
function group(parent: Command, name: string, description: string, setup: Setup): Command {
  return localized(parent.command(name), setup).description(description);
}

/** Help in the language of the user; errors are thrown instead of printed. */
function localized(command: Command, { messages: { help }, context }: Setup): Command {
  const heading = (text: string) => (help.headings as Record<string, string>)[text] ?? text;
  const base = new Help();
  return command
    .exitOverride()
    .allowExcessArguments(false)
    .helpCommand(false)
    .helpOption('-h, --help', help.showHelp)
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      outputError: () => undefined,
    })
    .configureHelp({
      styleTitle: heading,
      subcommandTerm: (each) => each.name(),
      commandUsage: (each) =>
        base.commandUsage(each).replace('[options]', help.options).replace('[command]', help.command),
      optionDescription: (option) => base.optionDescription(option).replace('(default: ', `(${help.default}: `),
    });
}
