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
import { findIntegration } from '../../integrations/integration-registry';
import { STARTDATE_FIELD } from '../../integrations/core/field';
import { FIELD_VALUE } from '../../integrations/core/views/field.view';
import { validateStep1 } from '../../integrations/shared/trust/step1-input';
import type { FieldInput } from '../../integrations/core/validate-fields';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { InvalidField } from '../../platform/errors/errors';
import { PageQuery } from '../../platform/http/input/page';
import { IsPlainText } from '../../platform/http/input/is-plain-text';
import { CONNECTION_STATUS } from '../state/views/connection-status.view';
import { NeedsMember } from '../../platform/openapi/needs-member';
import { CONNECTION_STATUSES, type ConnectionStatus } from '../../identities/connection-status';

/** API description of the input of a setup step. */
export const FIELDS = {
  type: 'object' as const,
  additionalProperties: FIELD_VALUE,
  description: 'Input by field id; the integration defines the fields.',
  example: {
    host: 'imap.example.com',
    port: 993,
    security: 'TLS',
    user: 'info@example.com',
    password: 'secret',
  },
};

const TRUSTED_FINGERPRINT =
  'If the user types the server, `trusted_fingerprint` is accepted as well: the `fingerprint` from an error about a certificate or host key, to trust that server.';

const MAX_INTEGRATION_ID = 64;

/** Field errors of `integration_id` and `fields`, reported together with the other errors of the body. */
function validateStep1Fields(
  { integration_id: id, fields }: { integration_id?: unknown; fields?: unknown },
  caller?: Caller,
): InvalidField[] {
  if (typeof id !== 'string' || id === '' || id.length > MAX_INTEGRATION_ID) return [];
  const integration = findIntegration(id);
  if (!integration || (integration.testOnly && !caller?.isTest)) {
    return [{ field: 'integration_id', code: 'INTEGRATION_UNKNOWN' }];
  }
  if (!isObject(fields) || Array.isArray(fields)) return [];
  return validateStep1(integration, fields as FieldInput).invalidFields;
}

class Step1Dto {
  static crossFieldErrors = validateStep1Fields;

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

@ApiSchema({ description: 'A connection to create, with the input of the first step.' })
export class CreateConnectionDto extends Step1Dto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'uuid',
    description: 'Required with an API key. With a token, it defaults to the identity of the token.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  identity_uuid?: string | null;
}

/** The same with an API key, which requires the identity (spec 4.2). */
export class CreateConnectionByKeyDto extends Step1Dto {
  @IsNotEmpty()
  @IsUUID()
  identity_uuid: string;
}

@ApiSchema({ description: 'An existing connection of your application to migrate.' })
export class MigrateConnectionDto {
  static crossFieldErrors = (body: { integration_id?: unknown; fields?: unknown }, caller?: Caller): InvalidField[] => {
    const invalidFields = validateStep1Fields(body, caller);
    return invalidFields.filter(({ field }) => field !== `fields.${STARTDATE_FIELD.id}`); // spec 4.11 rule 4: it is ignored
  };

  @ApiProperty({
    format: 'uuid',
    description: 'The identity that it belongs to; it must already exist.',
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
    description: `${FIELDS.description} A \`startdate\` is ignored: the day of the migration applies. ${TRUSTED_FINGERPRINT} Without it, the service does not log in to an SFTP server until the user has saved the first step again.`,
  })
  @IsNotEmpty()
  @IsObject()
  fields: Record<string, unknown>;
}

/** An omitted property means "unchanged"; null is invalid for both. */
const isPresent = (property: keyof UpdateConnectionDto) => (dto: UpdateConnectionDto) => dto[property] !== undefined;

@NeedsMember()
@ApiSchema({ description: 'Changes to a connection. At least one member is required.' })
export class UpdateConnectionDto {
  @ApiPropertyOptional({ minLength: 1, maxLength: 255, description: 'A new name.', example: 'Invoices mailbox' })
  @ValidateIf(isPresent('name'))
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  @IsPlainText()
  name?: string;

  @ApiPropertyOptional({
    ...FIELDS,
    description: `The step 1 fields to change; the others stay unchanged. Optional if \`name\` is given. ${TRUSTED_FINGERPRINT}`,
  })
  @ValidateIf(isPresent('fields'))
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
    description: 'Only connections with or without their own webhook.',
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
