import type { Environment } from '../environments/environment.entity';
import { parseOrigin } from '../environments/origins';
import type { EnvironmentChange } from '../environments/update-environment';
import type { UpdateEnvironmentDto } from './environment.dto';

/** The given members of a validated patch. */
export function toEnvironmentChange(dto: UpdateEnvironmentDto): EnvironmentChange {
  const theme = themeOf(dto);
  return given({
    name: dto.name,
    fetchIntervalMinutes: dto.fetch_interval_minutes,
    returnOrigins: dto.return_origins?.map(normalOrigin),
    embeddingOrigins: dto.embedding_origins?.map(normalOrigin),
    browserOrigins: dto.browser_origins?.map(normalOrigin),
    retentionDays: dto.retention_days,
    retentionDeliveredDays: dto.retention_delivered_days,
    retentionClass: dto.retention_class,
    pushLimitBytes: dto.push_limit_bytes,
    textExtraction: dto.text_extraction,
    holdDuplicates: dto.hold_duplicates,
    expectedDocuments: dto.expected_documents,
    consoleContent: dto.console_content,
    mailPolicy: dto.mail_policy,
    theme: Object.keys(theme).length > 0 ? theme : undefined,
  });
}

const normalOrigin = (text: string): string => parseOrigin(text)!;

/** The given members of a theme; an empty text removes one. */
export const themeOf = (
  dto: Pick<UpdateEnvironmentDto, 'theme_name' | 'theme_logo_url' | 'theme_primary_color'>,
): Environment['theme'] =>
  given({
    name: dto.theme_name === undefined ? undefined : (dto.theme_name ?? ''),
    logo_url: dto.theme_logo_url === undefined ? undefined : (dto.theme_logo_url ?? ''),
    primary_color: dto.theme_primary_color === undefined ? undefined : (dto.theme_primary_color?.toLowerCase() ?? ''),
  });

function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
