import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { apiEnum } from '../platform/openapi/api-enum';
import type { Identity, IdentityType } from './identity.entity';

export const IDENTITY_TYPE = apiEnum<IdentityType>('IdentityType', 'What an identity stands for.', {
  USER: 'a person',
  COMPANY: 'a company',
  ACCOUNT: 'an account, tenant or workspace',
});

@ApiSchema({ description: 'How many connections an identity has, and how they are.' })
export class ConnectionCounts {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'All of them.', example: 2 })
  total: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'With status `ACTIVE`.', example: 2 })
  active: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Waiting for the user: credentials, authorisation or setup.',
    example: 0,
  })
  needs_attention: number;
}

@ApiSchema({ description: 'An entity of your application that documents are fetched for.' })
export class IdentityView {
  @ApiProperty({ format: 'uuid', description: 'The identity.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  identity_uuid: string;

  @ApiProperty({ description: 'Your own name for it, unique in the environment.', example: 'customer-4711' })
  client_identifier: string;

  @ApiProperty({ type: String, nullable: true, description: 'A name for people.', example: 'Muster GmbH' })
  display_name: string | null;

  @ApiProperty({ ...IDENTITY_TYPE, nullable: true, description: 'What it stands for.', example: 'COMPANY' })
  type: IdentityType | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 10,
    description: 'Texts of your own.',
    example: { tenant: 'eu-1' },
  })
  metadata: Readonly<Record<string, string>>;

  @ApiProperty({ type: ConnectionCounts, description: 'Its connections.' })
  connections: ConnectionCounts;

  @ApiProperty({ format: 'date-time', description: 'When it was created.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was last changed.', example: '2026-11-20T08:30:00.000Z' })
  updated_at: string;
}

export function identityView(identity: Identity, connections: ConnectionCounts): IdentityView {
  return {
    identity_uuid: identity.uuid,
    client_identifier: identity.clientIdentifier,
    display_name: identity.displayName ?? null,
    type: identity.type ?? null,
    metadata: identity.metadata,
    connections,
    created_at: identity.createdAt.toISOString(),
    updated_at: identity.updatedAt.toISOString(),
  };
}
