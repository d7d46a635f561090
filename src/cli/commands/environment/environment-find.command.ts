import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { Application } from '../../use-cases/application';
import { environmentLines, environmentView } from '../../shared/environment-view';
import { Print, uuid } from '../../shared/print';
import { table } from '../../shared/table';

@SubCommand({ name: 'list', description: 'List all environments.' })
export class ListEnvironmentsCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run(_: string[], options: { json?: boolean }): Promise<void> {
    const { environments, formerSecretsEnds } = await this.application.useCases();
    const found = await environments.find();
    const ends = await formerSecretsEnds.read(found);
    const views = found.map((it) => environmentView(it, ends.get(it.uuid) ?? null));
    const lines = table(
      ['ENVIRONMENT', 'KIND', 'STRATEGY', 'CLIENT', 'NAME'],
      found.map((it) => [it.uuid, it.kind, it.strategy, it.clientName, it.name]),
    );
    this.print.result(options.json, views, found.length > 0 ? lines : ['No environments.']);
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}

@SubCommand({ name: 'show', arguments: '<environment>', description: 'Show the settings of an environment.' })
export class ShowEnvironmentCommand extends CommandRunner {
  constructor(
    private readonly application: Application,
    private readonly print: Print,
  ) {
    super();
  }

  async run([environment]: string[], options: { json?: boolean }): Promise<void> {
    const environmentUuid = uuid('The environment', environment!);
    const { environments, formerSecretsEnds } = await this.application.useCases();
    const found = await environments.find(environmentUuid);
    const ends = await formerSecretsEnds.read(found);
    const view = environmentView(found[0]!, ends.get(environmentUuid) ?? null);
    this.print.result(options.json, view, environmentLines(view));
  }

  @Option({ flags: '--json', description: 'Print JSON.' })
  parseJson(): boolean {
    return true;
  }
}
