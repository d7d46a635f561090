import type { MailPolicy } from '../../../identities/environments/setting-values';
import type { EnvironmentChange } from '../../../identities/environments/update-environment';
import type { RetentionClass } from '../../../platform/history/retention-class';
import { UsageError } from '../../shared/usage-error';
import { themeOf, type ThemeOptions } from './theme-options';

/** The options of `environment update`. */
export interface EnvironmentUpdateOptions extends ThemeOptions {
  name?: string;
  fetchInterval?: number;
  returnOrigin?: string[];
  returnOrigins?: boolean;
  embeddingOrigin?: string[];
  embeddingOrigins?: boolean;
  browserOrigin?: string[];
  browserOrigins?: boolean;
  retentionDays?: number;
  retentionDeliveredDays?: number;
  retentionClass?: RetentionClass;
  mailPolicy?: MailPolicy;
  /** Bytes. */
  pushLimit?: number;
  textExtraction?: boolean;
  holdDuplicates?: boolean;
  expectedDocuments?: boolean;
  consoleContent?: boolean;
  json?: boolean;
}

/** @throws UsageError when options contradict each other */
export function changeOf(options: EnvironmentUpdateOptions): EnvironmentChange {
  const origins = {
    return: [options.returnOrigin, options.returnOrigins],
    embedding: [options.embeddingOrigin, options.embeddingOrigins],
    browser: [options.browserOrigin, options.browserOrigins],
  } as const;
  for (const [kind, [given, allowed]] of Object.entries(origins)) {
    if (given && allowed === false) {
      throw new UsageError(`--${kind}-origin and --no-${kind}-origins contradict each other.`);
    }
  }
  const theme = themeOf(options);
  return given({
    name: options.name,
    fetchIntervalMinutes: options.fetchInterval,
    returnOrigins: options.returnOrigins === false ? [] : options.returnOrigin,
    embeddingOrigins: options.embeddingOrigins === false ? [] : options.embeddingOrigin,
    browserOrigins: options.browserOrigins === false ? [] : options.browserOrigin,
    retentionDays: options.retentionDays,
    retentionDeliveredDays: options.retentionDeliveredDays,
    retentionClass: options.retentionClass,
    mailPolicy: options.mailPolicy,
    pushLimitBytes: options.pushLimit,
    textExtraction: options.textExtraction,
    holdDuplicates: options.holdDuplicates,
    expectedDocuments: options.expectedDocuments,
    consoleContent: options.consoleContent,
    theme: Object.keys(theme).length > 0 ? theme : undefined,
  });
}

function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
