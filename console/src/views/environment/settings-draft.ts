import type { ManagedEnvironment, UpdateEnvironmentRequest } from '@docfetch/sdk';
import { linesOf } from '../../form/form-context';

const MIB = 1024 * 1024;

/** The settings as entered in the form. */
export interface SettingsDraft {
  readonly name: string;
  readonly fetch_interval_minutes: string;
  readonly return_origins: string;
  readonly embedding_origins: string;
  readonly browser_origins: string;
  readonly retention_days: string;
  readonly retention_delivered_days: string;
  readonly push_limit_bytes: string;
  readonly retention_class: ManagedEnvironment['retention_class'];
  readonly mail_policy: ManagedEnvironment['mail_policy'];
  readonly text_extraction: boolean;
  readonly hold_duplicates: boolean;
  readonly expected_documents: boolean;
  readonly console_content: boolean;
}

export function draftOf(environment: ManagedEnvironment): SettingsDraft {
  const { name, retention_class, mail_policy, text_extraction, hold_duplicates, expected_documents } = environment;
  const { console_content } = environment;
  return {
    ...{ name, retention_class, mail_policy, text_extraction, hold_duplicates, expected_documents, console_content },
    fetch_interval_minutes: String(environment.fetch_interval_minutes),
    return_origins: environment.return_origins.join('\n'),
    embedding_origins: environment.embedding_origins.join('\n'),
    browser_origins: environment.browser_origins.join('\n'),
    retention_days: String(environment.retention_days),
    retention_delivered_days: String(environment.retention_delivered_days),
    push_limit_bytes: String(environment.push_limit_bytes / MIB),
  };
}

type Change = Omit<UpdateEnvironmentRequest, 'expected_updated_at'>;

/** The settings that differ from the stored ones, so that a change touches nothing else. */
export function changeOf(draft: SettingsDraft, environment: ManagedEnvironment): Change {
  const before = draftOf(environment);
  const change: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(draft)) {
    if (value !== before[name as keyof SettingsDraft])
      change[name] = valueOf(name as keyof SettingsDraft, value as never);
  }
  return change;
}

/** Input that is not a number is sent unchanged, so that the API reports the error. */
function valueOf(name: keyof SettingsDraft, value: string | boolean): unknown {
  if (typeof value === 'boolean' || name === 'retention_class' || name === 'mail_policy') return value;
  if (name === 'name') return value.trim();
  if (name.endsWith('_origins')) return linesOf(value);
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isNaN(number)) return value;
  return name === 'push_limit_bytes' ? Math.round(number * MIB) : number;
}
