import type { Command } from 'commander';
import { MAIL_POLICIES } from '../../../identities/environments/setting-values';
import { FETCH_INTERVAL } from '../../../identities/environments/setting-limits';
import { RETENTION_CLASSES } from '../../../platform/history/retention-class';
import { type Cli, cliActor } from '../../shared/cli';
import { AS_JSON, leaf } from '../../shared/commands';
import { environmentLines, environmentView } from '../../shared/environment-view';
import { constant, each, onOff, origin, pushLimit, secureOrigin, text, uuid, whole } from '../../shared/parse';
import { changeOf, type EnvironmentUpdateOptions } from './environment-change';
import { addThemeOptions } from './theme-options';

export function addUpdateCommand(environment: Command, cli: Cli): void {
  const command = leaf(environment, 'update', 'Change settings of an environment; what is left out stays as it is.')
    .argument('<environment>', '', uuid('The environment'))
    .option('--name <name>', 'The name of the environment.', text('--name'))
    .option(
      '--fetch-interval <minutes>',
      'Minutes between scheduled fetches, at least 5.',
      whole('--fetch-interval', FETCH_INTERVAL.min, FETCH_INTERVAL.max),
    );
  addOriginOptions(command);
  addDocumentOptions(command);
  addThemeOptions(command)
    .option(...AS_JSON)
    .action((environmentUuid: string, options: EnvironmentUpdateOptions) => update(cli, environmentUuid, options));
}

/** Which pages may lead to the hosted UI, show it, or call the API. */
const addOriginOptions = (command: Command): Command =>
  command
    .option(
      '--return-origin <url...>',
      'An origin that a return_url may have; can be repeated. Together they replace the former ones.',
      each(origin('--return-origin')),
    )
    .option('--no-return-origins', 'Allow no return_url any more.')
    .option(
      '--embedding-origin <url...>',
      'An origin of pages that may show the hosted UI in a frame; can be repeated. Together they replace the former ones.',
      each(secureOrigin('--embedding-origin')),
    )
    .option('--no-embedding-origins', 'Let the hosted UI be shown in no frame any more.')
    .option(
      '--browser-origin <url...>',
      'An origin of web pages that may call the API with a UI token; can be repeated. Together they replace the former ones.',
      each(secureOrigin('--browser-origin')),
    )
    .option('--no-browser-origins', 'Let no web page call the API any more.');

/** What is done with documents, and how long they are kept. */
const addDocumentOptions = (command: Command): Command =>
  command
    .option('--retention-days <days>', 'Days that content is kept (0 to 3650).', whole('--retention-days', 0, 3650))
    .option(
      '--retention-delivered-days <days>',
      'Days that content is kept after delivery or acknowledgement (0 to 3650).',
      whole('--retention-delivered-days', 0, 3650),
    )
    .option(
      '--retention-class <class>',
      'How long the history is kept from now on: short (30 days), standard (90) or long (400).',
      constant('--retention-class', RETENTION_CLASSES),
    )
    .option(
      '--mail-policy <policy>',
      'Mails to accept by their authentication: record (all), dmarc or require (docs/operate/operations.md).',
      constant('--mail-policy', MAIL_POLICIES),
    )
    .option(
      '--push-limit <MiB>',
      'Size up to which documents are pushed (1 to 1024 MiB); larger ones are left to be pulled.',
      pushLimit,
    )
    .option(
      '--text-extraction <on|off>',
      'Whether metadata are read from the text of PDFs that are fetched from now on.',
      onOff('--text-extraction'),
    )
    .option(
      '--hold-duplicates <on|off>',
      'Whether copies of an invoice that are fetched from now on wait to be pulled instead of being pushed.',
      onOff('--hold-duplicates'),
    )
    .option(
      '--expected-documents <on|off>',
      'Whether the client is notified of missing monthly invoices.',
      onOff('--expected-documents'),
    )
    .option(
      '--console-content <on|off>',
      'Whether the content of documents may be opened in the console; each time is recorded in the audit log.',
      onOff('--console-content'),
    );

async function update({ application, print }: Cli, environmentUuid: string, options: EnvironmentUpdateOptions) {
  const change = changeOf(options);
  const { updateEnvironment, formerSecretsEnds } = await application.useCases();
  const updated = await updateEnvironment.update(cliActor(), environmentUuid, change);
  const ends = await formerSecretsEnds.read([updated]);
  const view = environmentView(updated, ends.get(environmentUuid) ?? null);
  print.result(options.json, view, environmentLines(view));
}
