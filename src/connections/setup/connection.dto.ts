import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  isObject,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { INTEGRATIONS } from '../../integrations/integration-registry';
import { STARTDATE_FIELD } from '../../integrations/core/field';
import { FIELD_VALUE } from '../../integrations/core/field.view';
import { validateStep1 } from '../../integrations/shared/trust/step1-input';
import type { FieldInput } from '../../integrations/core/validate-fields';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { InvalidField } from '../../platform/errors/errors';
import { PageQuery } from '../../platform/http/input/page';
import { IsPlainText } from '../../platform/errors/plain-text';
import { CONNECTION_STATUS } from '../state/connection-status.view';
import { CONNECTION_STATUSES, type ConnectionStatus } from '../state/connection-facts';

/** Input of a setup step, as the document shows it. */
export const FIELDS = {
  type: 'object' as const,
  additionalProperties: FIELD_VALUE,
  description: 'Input keyed by field id; which fields there are is told by the integration.',
  example: {
    provider: 'other',
    host: 'imap.example.com',
    port: 993,
    security: 'TLS',
    user: 'info@example.com',
    password: 'secret',
  },
};

const TRUSTED_FINGERPRINT =
  'Where the user types the server, `trusted_fingerprint` is taken as well: the `fingerprint` of an error about a certificate or host key, when the user trusts that server.';

const MAX_INTEGRATION_ID = 64;

/** That the integration is unknown, or what is wrong in its `fields`; told together with what else is wrong in the body. */
function faultsInFields(
  { integration_id: id, fields }: { integration_id?: unknown; fields?: unknown },
  caller?: Caller,
): InvalidField[] {
  if (typeof id !== 'string' || id === '' || id.length > MAX_INTEGRATION_ID) return [];
  const integration = INTEGRATIONS.find((candidate) => candidate.id === id);
  if (!integration || (integration.testOnly && !caller?.isTest)) {
    return [{ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' }];
  }
  if (!isObject(fields) || Array.isArray(fields)) return [];
  return validateStep1(integration, fields as FieldInput).faults;
}

class Step1Dto {
  static furtherFaults = faultsInFields;

  @ApiProperty({ minLength: 1, maxLength: 64, description: 'The integration to connect.', example: 'imap' })
  @IsNotEmpty()
  @IsString()
  @MaxLength(MAX_INTEGRATION_ID)
  integration_id: string;

  @ApiProperty({
    minLength: 1,
    maxLength: 255,
    description: 'Shown to the user, who may choose it.',
    example: 'Invoices mailbox',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  name: string;

  @ApiProperty({ ...FIELDS, description: `${FIELDS.description} ${TRUSTED_FINGERPRINT}` })
  @IsNotEmpty()
  @IsObject()
  fields: Record<string, unknown>;
}

@ApiSchema({ description: 'A connection to create, with the input of its first step.' })
export class CreateConnectionDto extends Step1Dto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'uuid',
    description: 'Required with an API key; with a token it is the identity of the token.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  identity_uuid?: string | null;
}

/** The same from a key, which names the identity (spec 4.2). */
export class CreateConnectionByKeyDto extends Step1Dto {
  @IsNotEmpty()
  @IsUUID()
  identity_uuid: string;
}

@ApiSchema({ description: 'A connection of your application to take over.' })
export class MigrateConnectionDto {
  static furtherFaults = (body: { integration_id?: unknown; fields?: unknown }, caller?: Caller): InvalidField[] => {
    const faults = faultsInFields(body, caller);
    return faults.filter(({ field }) => field !== `fields.${STARTDATE_FIELD.id}`); // spec 4.11 rule 4: it is ignored
  };

  @ApiProperty({
    format: 'uuid',
    description: 'The identity that it belongs to; must exist beforehand.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsNotEmpty()
  @IsUUID()
  identity_uuid: string;

  @ApiProperty({ minLength: 1, maxLength: 64, description: 'The integration to connect.', example: 'imap' })
  @IsNotEmpty()
  @IsString()
  @MaxLength(MAX_INTEGRATION_ID)
  integration_id: string;

  @ApiProperty({
    minLength: 1,
    maxLength: 255,
    description: 'Shown to the user, who may choose it.',
    example: 'Invoices mailbox',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  name: string;

  @ApiProperty({
    ...FIELDS,
    description: `${FIELDS.description} A \`startdate\` is ignored: the day of the migration counts. ${TRUSTED_FINGERPRINT} Without it, an SFTP server is not logged in to before the user has saved the first step again.`,
  })
  @IsNotEmpty()
  @IsObject()
  fields: Record<string, unknown>;
}

/** Left out means "as it is"; null would mean "none", which neither a name nor fields can be. */
const isGiven = (property: keyof UpdateConnectionDto) => (dto: UpdateConnectionDto) => dto[property] !== undefined;

@ApiSchema({ description: 'What to change of a connection. At least one of the two must be given.' })
export class UpdateConnectionDto {
  @ApiPropertyOptional({ minLength: 1, maxLength: 255, description: 'A new name.', example: 'Invoices mailbox' })
  @ValidateIf(isGiven('name'))
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  @IsPlainText()
  name?: string;

  @ApiPropertyOptional({
    ...FIELDS,
    description: `The step 1 fields to change; the others stay. May be left out when \`name\` is given. ${TRUSTED_FINGERPRINT}`,
  })
  @ValidateIf(isGiven('fields'))
  @IsObject()
  fields?: Record<string, unknown>;
}

export class ListConnectionsQuery extends PageQuery {
  @ApiPropertyOptional({ maxLength: 64, description: 'Only connections of this integration.', example: 'imap' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  @IsPlainText()
  integration?: string;

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Only connections with, or without, a webhook of their own.',
    example: 'false',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  webhook?: 'true' | 'false';
}

export class ListIdentityConnectionsQuery extends ListConnectionsQuery {
  @ApiPropertyOptional({
    ...CONNECTION_STATUS,
    description: 'Only connections with this status.',
    example: 'ACTIVE',
  })
  @IsOptional()
  @IsIn(CONNECTION_STATUSES)
  status?: ConnectionStatus;
}
