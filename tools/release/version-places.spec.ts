import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const MODULE = './version-places.mjs';
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

describe('The version of package.json', () => {
  it('is that of the SDKs, the drop-in, the command line for developers and the chart', async () => {
    const { VERSION_PLACES: places } = (await import(MODULE)) as { VERSION_PLACES: [file: string, pattern: RegExp][] };
    const found = places.map(([file, pattern]) => [file, pattern.exec(read(file))?.[0]]);
    expect(found).toEqual(places.map(([file]) => [file, version]));
  });

  it('is that of the OpenAPI document', () => {
    const { info } = JSON.parse(read('openapi.json')) as { info: { version: string } };
    expect(info.version).toBe(version);
  });

  it('is written into every package of the repository', async () => {
    const { VERSION_PLACES: places } = (await import(MODULE)) as { VERSION_PLACES: [file: string, pattern: RegExp][] };
    const isManifest = /\/(package\.json|pyproject\.toml|pom\.xml|composer\.json|Chart\.yaml)$/;
    const files = globSync(['connect/*', 'sdk/*/*', 'docs/deploy/helm/*/*'], { cwd: ROOT });
    const manifests = files.filter((file) => isManifest.test(file));
    expect(manifests.length).toBeGreaterThan(6);
    const written = new Set(places.map(([file]) => file));
    expect(manifests.filter((file) => !written.has(file))).toEqual([]);
  });
});

describe('What is published', () => {
  it('is dist of each npm package, and nothing of the service, which is an image', () => {
    const manifest = (folder: string) => JSON.parse(read(join(folder, 'package.json'))) as Record<string, unknown>;
    for (const folder of ['connect', 'sdk/cli', 'sdk/typescript']) expect(manifest(folder).files).toEqual(['dist']);
    expect(manifest('.').private).toBe(true);
    expect(read('Dockerfile')).toMatch(/^FROM /m);
  });
});
