import type { Command } from 'commander';
import type { AsJson, Cli } from '../../shared/cli';
import { AS_JSON, leaf } from '../../shared/commands';
import { environmentLines, environmentView } from '../../shared/environment-view';
import { uuid } from '../../shared/parse';
import { table } from '../../shared/table';

export function addFindCommands(environment: Command, cli: Cli): void {
  leaf(environment, 'list', 'List all environments.')
    .option(...AS_JSON)
    .action((options: AsJson) => list(cli, options));
  leaf(environment, 'show', 'Show the settings of an environment.')
    .argument('<environment>', '', uuid('The environment'))
    .option(...AS_JSON)
    .action((environmentUuid: string, options: AsJson) => show(cli, environmentUuid, options));
}

async function list({ application, print }: Cli, { json }: AsJson) {
  const { environments, formerSecretsEnds } = await application.useCases();
  const found = await environments.find();
  const ends = await formerSecretsEnds.read(found);
  const views = found.map((it) => environmentView(it, ends.get(it.uuid) ?? null));
  const lines = table(
    ['ENVIRONMENT', 'KIND', 'STRATEGY', 'CLIENT', 'NAME'],
    found.map((it) => [it.uuid, it.kind, it.strategy, it.clientName, it.name]),
  );
  print.result(json, views, found.length > 0 ? lines : ['No environments.']);
}

async function show({ application, print }: Cli, environmentUuid: string, { json }: AsJson) {
  const { environments, formerSecretsEnds } = await application.useCases();
  const found = await environments.find(environmentUuid);
  const ends = await formerSecretsEnds.read(found);
  const view = environmentView(found[0]!, ends.get(environmentUuid) ?? null);
  print.result(json, view, environmentLines(view));
}
