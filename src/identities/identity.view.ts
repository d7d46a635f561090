import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { apiEnum } from '../platform/openapi/api-enum';
import type { Identity, IdentityType } from './identity.entity';

export const IDENTITY_TYPE = apiEnum<IdentityType>('IdentityType', 'The kind of entity that an identity represents.', {
  USER: 'a person',
  COMPANY: 'a company',
  ACCOUNT: 'an account, tenant or workspace',
});

@ApiSchema({ description: 'The number of connections of an identity, in total and by state.' })
export class ConnectionCounts {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'All connections.', example: 2 })
  total: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Connections with status `ACTIVE`.', example: 2 })
  active: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Connections that wait for the user: credentials, authorization or setup.',
    example: 0,
  })
  needs_attention: number;
}

@ApiSchema({ description: 'An entity of your application that documents are fetched for.' })
export class IdentityView {
  @ApiProperty({ format: 'uuid', description: 'The identity.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  identity_uuid: string;

  @ApiProperty({ description: 'Your own identifier, unique in the environment.', example: 'customer-4711' })
  client_identifier: string;

  @ApiProperty({ type: String, nullable: true, description: 'A human-readable name.', example: 'Muster GmbH' })
  display_name: string | null;

  @ApiProperty({ ...IDENTITY_TYPE, nullable: true, description: 'The kind of entity.', example: 'COMPANY' })
  type: IdentityType | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 10,
    description: 'Your own key-value pairs.',
    example: { tenant: 'eu-1' },
  })
  metadata: Readonly<Record<string, string>>;

  @ApiProperty({ type: ConnectionCounts, description: 'Its connections.' })
  connections: ConnectionCounts;

  @ApiProperty({ format: 'date-time', description: 'When it was created.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was last updated.', example: '2026-11-20T08:30:00.000Z' })
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
