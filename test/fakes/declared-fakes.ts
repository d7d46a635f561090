import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { FakeDeclaration } from './described/declaration';
import { FakeProvider } from './described/fake-provider';

const FOLDER = join(__dirname, 'providers');

function load(name: string): readonly [string, FakeDeclaration] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the files are not known before
  const { fake } = require(join(FOLDER, name)) as { fake: FakeDeclaration };
  return [parse(name).name, fake];
}

/** The declarations of all fakes by the id of their integration, which is the name of their file. */
export const DECLARED_FAKES: Readonly<Record<string, FakeDeclaration>> = Object.fromEntries(
  readdirSync(FOLDER)
    .filter((name) => /^[a-z0-9_]+\.[jt]s$/.test(name))
    .sort()
    .map(load),
);

export function startFake(id: string, redirectUri?: string): Promise<FakeProvider> {
  return FakeProvider.start(id, DECLARED_FAKES[id]!, redirectUri);
}
