import { Logger } from '@nestjs/common';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACME, changed } from '../../../test/harness/declarative/declared-provider';
import type { Settings } from '../../platform/config/settings';
import type { Integration } from '../core/integration';
import { IntegrationRegistry } from '../integration-registry';
import { loadProviders } from './load-providers';

describe('The files of providers', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'providers-'));
    writeFileSync(join(folder, 'acme.yaml'), ACME);
    writeFileSync(join(folder, 'broken.yaml'), changed({ id: 'broken', category: 'BOOKS' }));
    writeFileSync(join(folder, 'notes.txt'), 'No provider.');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const registryOf = (integrations: readonly Integration[], production: boolean) => {
    class TestRegistry extends IntegrationRegistry {
      protected override readonly integrations = integrations;
    }
    return new TestRegistry({ production, providers: {} } as Settings);
  };

  it('with errors are listed but not available in production, and the log says why', () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const [acme, broken] = loadProviders(folder);
    const registry = registryOf([acme!, broken!], true);
    registry.onModuleInit();
    expect(registry.list(false).map(({ id }) => id)).toEqual(['acme', 'broken']);
    expect([registry.isAvailable(acme!), registry.isAvailable(broken!)]).toEqual([true, false]);
    const error = expect.stringMatching(/broken\.yaml:\d+: category: must be one of MAILBOX/) as string;
    expect(errors.mock.calls).toEqual([[{ error }, 'A provider is not available']]);
    errors.mockRestore();
  });

  it('with errors prevent the start in development', () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    expect(() => registryOf(loadProviders(folder), false).onModuleInit()).toThrow(/broken\.yaml:\d+: category/);
    errors.mockRestore();
  });
});
