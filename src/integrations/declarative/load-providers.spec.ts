import { Logger } from '@nestjs/common';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACME, changed } from '../../../test/harness/declarative/declared-provider';
import type { Settings } from '../../platform/config/settings';
import type { Integration } from '../core/integration';
import { IntegrationRegistry } from '../integration-registry';
import { loadProviders, prepareProviders } from './load-providers';
import { readPrepared } from './prepared-manifests';

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

  describe('that the build has read', () => {
    const named = (name: string) => changed({ name: { en: name, de: name } });
    const load = () => loadProviders(folder, readPrepared(join(folder, 'prepared.json')));
    beforeEach(() => prepareProviders(folder, join(folder, 'prepared.json')));

    it('are the same integrations as those of their files', () => {
      const [acme] = load();
      const [expected] = loadProviders(folder, {});
      expect(Object.keys(acme!)).toEqual(Object.keys(expected!));
      expect(JSON.stringify(acme)).toBe(JSON.stringify(expected));
    });

    it('are all files of the build', () => {
      const path = join(folder, 'prepared.json');
      prepareProviders(undefined, path);
      expect(Object.values(readPrepared(path)).map(({ id }) => id)).toEqual(loadProviders().map(({ id }) => id));
      expect(JSON.stringify(loadProviders(undefined, readPrepared(path)))).toBe(JSON.stringify(loadProviders()));
    });

    it('are not read again', () => {
      const path = join(folder, 'prepared.json');
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('Acme', 'Prepared'));
      expect(load()[0]!.name.en).toContain('Prepared');
    });

    it('are read again when a file has changed since', () => {
      writeFileSync(join(folder, 'acme.yaml'), named('Acme two'));
      expect(load()[0]!.name).toEqual({ en: 'Acme two', de: 'Acme two' });
    });

    it('are read again under another name, which is not that of their id', () => {
      renameSync(join(folder, 'acme.yaml'), join(folder, 'other.yaml'));
      expect(load()[1]!.manifestErrors).toEqual([expect.stringContaining('the file of acme is acme.yaml')]);
    });

    it('are not those with errors, which still say their line', () => {
      expect(load()[1]!.manifestErrors).toEqual([expect.stringMatching(/^broken\.yaml:\d+: category: /)]);
    });
  });
});
