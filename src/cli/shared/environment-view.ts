import type { Environment } from '../../identities/environments/environment.entity';

/** An environment for the support team, without secrets. `formerSecretsEnd`: until when former signing secrets sign. */
export const environmentView = (environment: Environment, formerSecretsEnd: Date | null) => ({
  environment_uuid: environment.uuid,
  client: environment.clientName,
  name: environment.name,
  kind: environment.kind,
  fetch_interval_minutes: environment.fetchIntervalMinutes,
  strategy: environment.strategy,
  url: environment.provisioningUrl ?? null,
  auth: environment.clientAuth,
  push_limit_mib: environment.pushLimitBytes / MIB,
  retention_delivered_days: environment.retentionDeliveredDays,
  retention_days: environment.retentionDays,
  retention_class: environment.retentionClass,
  text_extraction: environment.textExtraction,
  hold_duplicates: environment.holdDuplicates,
  expected_documents: environment.expectedDocuments,
  console_content: environment.consoleContent,
  mail_policy: environment.mailPolicy,
  previous_signing_secret_valid_until: formerSecretsEnd?.toISOString() ?? null,
  return_origins: environment.returnOrigins,
  embedding_origins: environment.embeddingOrigins,
  browser_origins: environment.browserOrigins,
  theme: environment.theme,
  fence: environment.fence ?? null,
  created_at: environment.createdAt.toISOString(),
  updated_at: environment.updatedAt.toISOString(),
});

export const MIB = 1024 * 1024;

export function environmentLines(described: ReturnType<typeof environmentView>): string[] {
  const { theme, return_origins, embedding_origins, browser_origins, ...view } = described;
  const shown = {
    ...view,
    return_origins: return_origins.join(' ') || null,
    embedding_origins: embedding_origins.join(' ') || null,
    browser_origins: browser_origins.join(' ') || null,
    theme: JSON.stringify(theme),
  };
  const width = Math.max(...Object.keys(shown).map(({ length }) => length)) + 2;
  return Object.entries(shown).map(([name, value]) => `${name.padEnd(width)}${value ?? '-'}`);
}
