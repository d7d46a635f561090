import type fc from 'fast-check';
import type { Episode } from '../episode';
import type { Model, ModelConnection } from '../model';

export type Step = fc.AsyncCommand<Model, Episode>;

/** One action on the service and on the model. It is skipped when `isPossible` is false. */
export function step(
  name: string,
  details: object,
  act: (model: Model, episode: Episode) => Promise<unknown>,
  isPossible: (model: Readonly<Model>) => boolean = () => true,
): Step {
  return {
    check: isPossible,
    async run(model, episode) {
      episode.count('steps');
      episode.count(`step: ${name}`);
      await act(model, episode);
    },
    toString: () => `${name} ${JSON.stringify(details)}`,
  };
}

/** An action on one of the living connections. */
export function connectionStep(
  name: string,
  { connection: choice, ...details }: { readonly connection: number },
  act: (connection: ModelConnection, episode: Episode, model: Model) => Promise<unknown>,
  isPossible: (connection: ModelConnection) => boolean = () => true,
): Step {
  return step(
    name,
    { connection: choice, ...details },
    (model, episode) => act(model.connection(choice)!, episode, model),
    (model) => {
      const connection = model.connection(choice);
      return connection !== undefined && isPossible(connection);
    },
  );
}

/** The connection has changed: only later fetches say something about it. */
export function changed(connection: ModelConnection, { world }: Episode): void {
  connection.changedAt = world.now();
}
