import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { INTEGRATIONS } from '../integrations/integration-registry';
import { PROVIDER_SETTINGS } from '../platform/config/provider-settings';
import type { SettingDefinition } from '../platform/config/setting-definition';
import { SETTING_DEFINITIONS } from '../platform/config/setting-definitions';
import { Settings } from '../platform/config/settings';
import { settingsPage } from './settings-page';

const ROOT = join(__dirname, '../..');
const text = (name: string) => readFileSync(join(ROOT, name), 'utf8');

/** The names that contain the id of an integration. */
const PROVIDER = /^(OAUTH|API)_([A-Z0-9_]+)_(CLIENT_ID|CLIENT_SECRET|BASE_URL)$/;
const generic = (name: string) => name.replace(PROVIDER, '$1_<INTEGRATION>_$3');
const idIn = (name: string) => PROVIDER.exec(name)?.[2]?.toLowerCase();
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/** The variables that `Settings` reads. Of the names with an integration's id, it must read each kind. */
function namesRead(): string[] {
  const names = new Set<string>();
  const dataDir = mkdtempSync(join(tmpdir(), 'docfetch-settings-'));
  const given: Record<string, string> = { DATA_DIR: dataDir };
  for (const kind of ['OAUTH_X_CLIENT_ID', 'OAUTH_X_CLIENT_SECRET']) given[kind] = 'x';
  for (const kind of ['OAUTH_X_BASE_URL', 'API_X_BASE_URL']) given[kind] = 'https://example.com';
  try {
    Settings.fromEnvironment(
      new Proxy(given, {
        get: (target, name) => {
          if (typeof name === 'string') names.add(generic(name));
          return Reflect.get(target, name) as string | undefined;
        },
      }),
    );
  } finally {
    rmSync(dataDir, { recursive: true });
  }
  return sorted(names);
}

interface Service {
  readonly image: string;
  readonly build?: { readonly args: readonly string[] };
  readonly env_file?: string;
  readonly environment?: Readonly<Record<string, string>>;
}
const compose = text('docker-compose.yml');
const { services } = parse(compose, { merge: true }) as { services: Readonly<Record<string, Service>> };
/** `NAME` and the rest of `${NAME…}`. */
const interpolated = [...compose.matchAll(/\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g)].map(([, name, kind, rest]) => ({
  name: name!,
  kind,
  rest,
}));
const ofCompose = sorted([...interpolated.map(({ name }) => name), ...services.migrate!.build!.args]);

interface Line {
  readonly name: string;
  readonly value: string;
  readonly commented: boolean;
  readonly about: string;
}
/** The settings of `.env.example`, each with the comment above its group of lines. */
function example(): Line[] {
  return text('.env.example')
    .split('\n\n')
    .flatMap((group) => {
      const lines = group.trim().split('\n');
      const about = lines.filter((line) => /^# /.test(line)).join(' ');
      return lines.flatMap((line) => {
        const [, hash, name, value] = /^(#?)([A-Z][A-Z_]*)=(.*)$/.exec(line) ?? [];
        return name ? [{ name, value: value!, commented: hash === '#', about }] : [];
      });
    });
}
const lines = example();

describe('The settings (decisions 8)', () => {
  it('are exactly those that are defined', () => {
    const defined = Object.values<SettingDefinition>(SETTING_DEFINITIONS).map(({ variable }) => variable);
    const ofProviders = PROVIDER_SETTINGS.flatMap(({ variables }) => [...variables]);
    expect(sorted([...defined, ...ofProviders])).toEqual(namesRead());
  });

  it('are described by docs/operate/settings.md, which npm run settings-page writes', () => {
    expect(text('docs/operate/settings.md')).toBe(settingsPage());
  });

  it('and those of Docker Compose are exactly those of .env.example', () => {
    expect(sorted(lines.map(({ name }) => generic(name)))).toEqual(sorted([...namesRead(), ...ofCompose]));
  });

  it('are in .env.example once each, with a description', () => {
    const names = lines.map(({ name }) => name);
    expect(names).toHaveLength(new Set(names).size);
    expect(lines.filter(({ about }) => !/[a-z]/.test(about)).map(({ name }) => name)).toEqual([]);
  });

  it('have the same default in .env.example as without a variable', () => {
    const defaults = Object.values<SettingDefinition>(SETTING_DEFINITIONS).filter(
      (setting) => setting.default !== null,
    );
    expect(defaults.length).toBeGreaterThan(10);
    for (const { variable, default: value } of defaults)
      expect([variable, lines.find(({ name }) => name === variable)?.value]).toEqual([variable, value]);
  });

  it('are commented out in .env.example unless Compose requires them, so that a copy changes no default', () => {
    const required = interpolated.filter(({ kind }) => kind === '?').map(({ name }) => name);
    expect(sorted(lines.filter(({ commented }) => !commented).map(({ name }) => name))).toEqual(sorted(required));
  });

  it('include an OAuth client in .env.example for exactly the integrations that need one', () => {
    const needed = INTEGRATIONS.filter(({ authType, oauth }) => authType === 'OAUTH2' && !oauth?.isBuiltIn);
    const withClient = lines.filter(({ name }) => /_CLIENT_(ID|SECRET)$/.test(name));
    expect(sorted(withClient.map(({ name }) => name))).toEqual(
      sorted(needed.flatMap(({ id }) => ['ID', 'SECRET'].map((part) => `OAUTH_${id.toUpperCase()}_CLIENT_${part}`))),
    );
    const ids = INTEGRATIONS.map(({ id }) => id);
    for (const { name } of lines) expect([...ids, undefined]).toContain(idIn(name));
  });
});

describe('Docker Compose', () => {
  const own = Object.entries(services).filter(([, { image }]) => image.startsWith('docfetch:'));

  it('passes .env to every process of Docfetch, and to no other', () => {
    expect(own.map(([name]) => name)).toEqual(['migrate', 'api', 'worker', 'cli']);
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.env_file]).toEqual([name, own.some(([ours]) => ours === name) ? '.env' : undefined]);
    }
    expect(Object.keys(services.postgres!.environment!).every((name) => name.startsWith('POSTGRES_'))).toBe(true);
    expect(services.proxy!.environment).toBeUndefined();
  });

  it('overrides only settings that it determines itself or that .env has to contain', () => {
    const required = interpolated.filter(({ kind }) => kind === '?').map(({ name }) => name);
    const determined = ['NODE_ENV', 'PORT', 'DATABASE_URL', 'ROLE'];
    for (const [, { environment }] of own) {
      for (const [name, value] of Object.entries(environment!)) {
        if (determined.includes(name)) continue;
        expect(value).toMatch(new RegExp(`^\\$\\{${name}:${required.includes(name) ? '\\?is missing' : '-'}`));
      }
    }
  });

  it('requires the settings without a default in production', () => {
    const required = interpolated.filter(({ kind }) => kind === '?');
    expect(sorted(required.map(({ name }) => name))).toEqual(
      sorted(['POSTGRES_PASSWORD', 'PUBLIC_URL', 'ENCRYPTION_KEYS', 'TOKEN_KEYS']),
    );
    for (const { rest } of required) expect(rest).toMatch(/^is missing in \.env, /);
  });

  it('runs all processes from one image, which one service builds', () => {
    expect(new Set(own.map(([, { image }]) => image))).toEqual(new Set(['docfetch:${DOCFETCH_VERSION:-local}']));
    expect(own.filter(([, { build }]) => build).map(([name]) => name)).toEqual(['migrate']);
  });

  it('has the defaults of .env.example', () => {
    for (const { name, kind, rest } of interpolated) {
      if (kind !== '-' || name === 'TRUST_PROXY') continue;
      expect([name, lines.find((line) => line.name === name)?.value]).toEqual([name, rest]);
    }
    const [, nodeImage] = /^ARG NODE_IMAGE=(\S+)$/m.exec(text('Dockerfile'))!;
    expect(lines.find(({ name }) => name === 'NODE_IMAGE')?.value).toBe(nodeImage);
  });
});
