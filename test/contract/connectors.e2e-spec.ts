import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { INTEGRATIONS } from '../../src/integrations/integration-registry';
import { describeConnector } from './connector-contract';
import { TEST_SERVERS } from './test-servers';

const FOLDER = join(__dirname, '../../src/integrations');
const providerFiles = readdirSync(join(FOLDER, 'providers')).filter((name) => name.endsWith('.yaml'));
/** A brand on a known protocol is its connector with some values filled in, tested in `presets.e2e-spec.ts`. */
const CONNECTORS = INTEGRATIONS.filter(({ presetOf }) => presetOf === undefined);
const NO_CONNECTORS = ['core', 'declarative', 'providers', 'shared'];

describe('The integration registry', () => {
  it('lists exactly the connector folders and the files of providers, none of which has errors', () => {
    const folders = readdirSync(FOLDER, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !NO_CONNECTORS.includes(entry.name))
      .map(({ name }) => name.replaceAll('-', '_'));
    const ids = [...folders, ...providerFiles.map((name) => name.replace('.yaml', ''))];
    expect(CONNECTORS.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(INTEGRATIONS.flatMap(({ manifestErrors }) => manifestErrors ?? [])).toEqual([]);
  });

  it('lists every connector once, and this suite has a test server for each', () => {
    const ids = INTEGRATIONS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(TEST_SERVERS).sort()).toEqual(CONNECTORS.map(({ id }) => id).sort());
  });
});

for (const integration of INTEGRATIONS) describeConnector(integration);
