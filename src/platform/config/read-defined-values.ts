import type { SettingDefinition } from './setting-definition';
import { SETTING_DEFINITIONS } from './setting-definitions';

type Definitions = typeof SETTING_DEFINITIONS;

/** The value of each setting as its variable says it; null where the variable is not set and has no default. */
export type DefinedValues = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends SettingDefinition<infer T, infer D>
    ? D extends null
      ? T | null
      : T
    : never;
};

/**
 * Reads every defined setting. An empty variable counts as not set.
 * @param errors receives one line for each invalid or missing setting
 */
export function readDefinedValues(env: NodeJS.ProcessEnv, errors: string[]): DefinedValues {
  const read = ({ variable, parse, default: fallback }: SettingDefinition): unknown => {
    const text = env[variable]?.trim() || fallback;
    if (text === null) return null;
    try {
      return parse(text);
    } catch (error) {
      errors.push(`${variable} ${(error as Error).message}`);
      return fallback === null ? null : parse(fallback);
    }
  };
  const names = Object.keys(SETTING_DEFINITIONS) as (keyof Definitions)[];
  const values = Object.fromEntries(names.map((name) => [name, read(SETTING_DEFINITIONS[name])])) as DefinedValues;
  if (values.production) {
    for (const { variable, requiredInProduction } of Object.values<SettingDefinition>(SETTING_DEFINITIONS)) {
      if (requiredInProduction !== undefined && !env[variable]?.trim())
        errors.push(`${variable} is required when NODE_ENV is production: ${requiredInProduction}`);
    }
  }
  return values;
}
