import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { IsPlainText } from '../../platform/http/input/is-plain-text';
import { RETENTION_CLASSES, type RetentionClass } from '../../platform/history/retention-class';
import { PageQuery } from '../../platform/http/input/page';
import { MAIL_POLICY, RETENTION_CLASS } from '../environments/environment-enums';
import { MAIL_POLICIES, type MailPolicy } from '../environments/setting-values';
import { IsLogoUrl, IsOrigins, IsSecureOrigins } from './setting-rules';
import { FETCH_INTERVAL } from '../environments/setting-limits';
import { COLOR } from '../environments/theme';
import { ExpectedVersionDto, IfPresent } from './expected-version.dto';

const MIB = 1024 * 1024;
const ORIGINS_PROPERTY = {
  type: [String] as [typeof String],
  maxItems: 100,
  uniqueItems: true,
  example: ['https://app.example.com'],
};

/** The number of days of a retention, for the document and for the validation. */
const DAYS_PROPERTY = { type: 'integer', minimum: 0, maximum: 3650 } as const;
const IsDays = () => applyDecorators(IfPresent(), IsInt(), Min(0), Max(3650));
const IsName = () => applyDecorators(IsNotEmpty(), IsString(), MaxLength(255), IsPlainText());
const IsOriginList = (areOrigins: () => PropertyDecorator) =>
  applyDecorators(IfPresent(), IsArray(), ArrayMaxSize(100), ArrayUnique(), areOrigins());

export class ListEnvironmentsQuery extends PageQuery {
  @ApiPropertyOptional({
    maxLength: 255,
    description: 'Only environments whose client, name or uuid contains this text.',
    example: 'acme',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  q?: string;
}

/** A JSON merge patch (RFC 7396). */
@ApiSchema({ description: 'Changes to the settings of an environment: omitted members stay unchanged.' })
export class UpdateEnvironmentDto extends ExpectedVersionDto {
  @ApiPropertyOptional({ minLength: 1, maxLength: 255, description: 'Its name.', example: 'Production' })
  @IfPresent()
  @IsName()
  name?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: FETCH_INTERVAL.min,
    maximum: FETCH_INTERVAL.max,
    description: 'Minutes between scheduled fetches. A shorter interval applies to all connections at once.',
    example: 720,
  })
  @IfPresent()
  @IsInt()
  @Min(FETCH_INTERVAL.min)
  @Max(FETCH_INTERVAL.max)
  fetch_interval_minutes?: number;

  @ApiPropertyOptional({ ...ORIGINS_PROPERTY, description: 'Origins that a `return_url` may have; replaces the list.' })
  @IsOriginList(IsOrigins)
  return_origins?: string[];

  @ApiPropertyOptional({
    ...ORIGINS_PROPERTY,
    description: 'Origins of the pages that may show the hosted UI in a frame; replaces the list.',
  })
  @IsOriginList(IsSecureOrigins)
  embedding_origins?: string[];

  @ApiPropertyOptional({
    ...ORIGINS_PROPERTY,
    description: 'Origins of web pages that may call the API with a UI token; replaces the list.',
  })
  @IsOriginList(IsSecureOrigins)
  browser_origins?: string[];

  @ApiPropertyOptional({ ...DAYS_PROPERTY, description: 'Days that content is kept.', example: 90 })
  @IsDays()
  retention_days?: number;

  @ApiPropertyOptional({ ...DAYS_PROPERTY, description: 'Days that content is kept after delivery.', example: 7 })
  @IsDays()
  retention_delivered_days?: number;

  @ApiPropertyOptional({
    ...RETENTION_CLASS,
    description: 'How long the history is kept that is recorded from now on.',
    example: 'LONG',
  })
  @IfPresent()
  @IsIn(RETENTION_CLASSES)
  retention_class?: RetentionClass;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: MIB,
    maximum: 1024 * MIB,
    description: 'The size in bytes up to which documents are pushed.',
    example: 52_428_800,
  })
  @IfPresent()
  @IsInt()
  @Min(MIB)
  @Max(1024 * MIB)
  push_limit_bytes?: number;

  @ApiPropertyOptional({ description: 'Whether metadata are read from the text of PDFs.', example: true })
  @IfPresent()
  @IsBoolean()
  text_extraction?: boolean;

  @ApiPropertyOptional({ description: 'Whether copies of an invoice wait to be pulled.', example: false })
  @IfPresent()
  @IsBoolean()
  hold_duplicates?: boolean;

  @ApiPropertyOptional({ description: 'Whether the client is notified of missing invoices.', example: false })
  @IfPresent()
  @IsBoolean()
  expected_documents?: boolean;

  @ApiPropertyOptional({ description: 'Whether the content of documents may be opened in the console.', example: true })
  @IfPresent()
  @IsBoolean()
  console_content?: boolean;

  @ApiPropertyOptional({ ...MAIL_POLICY, description: 'Which mails for `mail_inbox` are accepted.', example: 'DMARC' })
  @IfPresent()
  @IsIn(MAIL_POLICIES)
  mail_policy?: MailPolicy;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 255,
    description: 'What the hosted UI calls the client; null clears it.',
    example: 'Acme',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  theme_name?: string | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uri',
    nullable: true,
    maxLength: 2048,
    description: 'The https address of the logo in the hosted UI; null clears it.',
    example: 'https://www.example.com/logo.svg',
  })
  @IsOptional()
  @IsString()
  @MaxLength(2048)
  @IsPlainText()
  @IsLogoUrl()
  theme_logo_url?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: '^#[0-9a-fA-F]{6}$',
    description: 'The color of the hosted UI; null clears it.',
    example: '#0055aa',
  })
  @IsOptional()
  @IsString()
  @Matches(COLOR)
  theme_primary_color?: string | null;
}
