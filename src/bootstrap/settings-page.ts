import { PROVIDER_SETTINGS } from '../platform/config/provider-settings';
import { SECTIONS, type SettingDefinition } from '../platform/config/setting-definition';
import { SETTING_DEFINITIONS } from '../platform/config/setting-definitions';

const HEAD = `# Settings

All settings are environment variables and are checked at the start; every error is reported in a line of its own. An empty variable counts as not set. [.env.example](../../.env.example) lists them for Docker Compose ([operations.md](operations.md#docker-compose)). With \`NODE_ENV=production\`, the settings marked ● have no default.

This page is generated from the definitions of the settings: \`npm run settings-page\` writes it again.
`;

interface Row {
  readonly name: string;
  readonly default: string;
  readonly description: string;
}

/** The content of `docs/operate/settings.md`. */
export function settingsPage(): string {
  const sections = Object.entries(SECTIONS).map(([section, title]) => {
    const others = section === 'providers' ? PROVIDER_SETTINGS.map(providerRow) : [];
    const rows = [...definitionsOf(section).map(settingRow), ...others];
    const lines = rows.map((row) => `| ${row.name} | ${row.default} | ${row.description} |`);
    return [`\n## ${title}\n`, '| setting | default | meaning |', '| --- | --- | --- |', ...lines].join('\n');
  });
  return `${[HEAD.trimEnd(), ...sections].join('\n')}\n`;
}

function definitionsOf(section: string): SettingDefinition[] {
  return Object.values<SettingDefinition>(SETTING_DEFINITIONS).filter((definition) => definition.section === section);
}

function settingRow({ variable, requiredInProduction, description, ...definition }: SettingDefinition): Row {
  const fallback = definition.default === null ? '' : `\`${definition.default}\``;
  return {
    name: `\`${variable}\`${requiredInProduction === undefined ? '' : ' ●'}`,
    default: definition.defaultDescription ?? fallback,
    description,
  };
}

function providerRow({ variables, description, ...definition }: (typeof PROVIDER_SETTINGS)[number]): Row {
  return { name: variables.map((name) => `\`${name}\``).join(', '), default: definition.default, description };
}
