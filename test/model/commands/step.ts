import type fc from 'fast-check';
import type { ModelRun } from '../model-run';
import type { Model, ModelConnection } from '../model';

export type Step = fc.AsyncCommand<Model, ModelRun>;

/** One action on the service and on the model. It is skipped when `isPossible` is false. */
export function step(
  name: string,
  details: object,
  act: (model: Model, modelRun: ModelRun) => Promise<unknown>,
  isPossible: (model: Readonly<Model>) => boolean = () => true,
): Step {
  return {
    check: isPossible,
    async run(model, modelRun) {
      modelRun.count('steps');
      modelRun.count(`step: ${name}`);
      await act(model, modelRun);
    },
    toString: () => `${name} ${JSON.stringify(details)}`,
  };
}

/** An action on one of the living connections. */
export function connectionStep(
  name: string,
  { connection: choice, ...details }: { readonly connection: number },
  act: (connection: ModelConnection, modelRun: ModelRun, model: Model) => Promise<unknown>,
  isPossible: (connection: ModelConnection) => boolean = () => true,
): Step {
  return step(
    name,
    { connection: choice, ...details },
    (model, modelRun) => act(model.connection(choice)!, modelRun, model),
    (model) => {
      const connection = model.connection(choice);
      return connection !== undefined && isPossible(connection);
    },
  );
}

/** The connection has changed: only later fetches say something about it. */
export function changed(connection: ModelConnection, { service }: ModelRun): void {
  connection.changedAt = service.workersNow();
}
