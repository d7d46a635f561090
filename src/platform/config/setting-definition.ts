/** The groups of `docs/operate/settings.md`, in its order. */
export const SECTIONS = {
  basics: 'Address, database and keys',
  kms: 'Keys in a key management service',
  documents: 'Documents',
  mail: 'Receiving mails',
  network: 'Network',
  capacity: 'Capacity and limits',
  providers: 'Providers',
  observability: 'Logs, metrics and traces',
} as const;

/** One setting: its environment variable, how it is parsed, and what `docs/operate/settings.md` says about it. */
export interface SettingDefinition<T = unknown, D extends string | null = string | null> {
  readonly variable: string;
  readonly section: keyof typeof SECTIONS;
  /** @throws Error whose message continues the name of the variable, and contains no secret */
  readonly parse: (text: string) => T;
  /** The text that applies when the variable is not set. Null: the value is null, or is computed by `Settings`. */
  readonly default: D;
  /** What applies without the variable, in Markdown, where `default` does not say it. */
  readonly defaultDescription?: string;
  /** Set: the variable is required in production. The text says what it has to contain. */
  readonly requiredInProduction?: string;
  /** Markdown, one line. */
  readonly description: string;
}

/** Keeps the type of the value and of the default. */
export const setting = <T, D extends string | null>(definition: SettingDefinition<T, D>): SettingDefinition<T, D> =>
  definition;
