import { ApiProperty } from '@nestjs/swagger';
import { IDENTITY_TYPES, type Identity, type IdentityType } from './identity.entity';

/** How many connections an identity has, and how they are. */
export class ConnectionCounts {
  @ApiProperty({ example: 2 })
  total: number;

  @ApiProperty({ description: 'With status `ACTIVE`.', example: 2 })
  active: number;

  @ApiProperty({ description: 'Waiting for the user: credentials, authorisation or setup.', example: 0 })
  needs_attention: number;
}

/** The entity of your application that documents are fetched for. */
export class IdentityView {
  @ApiProperty({ format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  identity_uuid: string;

  @ApiProperty({ description: 'Your own name for it, unique in the environment.', example: 'customer-4711' })
  client_identifier: string;

  @ApiProperty({ type: String, nullable: true, example: 'Muster GmbH' })
  display_name: string | null;

  @ApiProperty({ enum: IDENTITY_TYPES, enumName: 'IdentityType', nullable: true, example: 'COMPANY' })
  type: IdentityType | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { tenant: 'eu-1' } })
  metadata: Readonly<Record<string, string>>;

  @ApiProperty({ type: ConnectionCounts })
  connections: ConnectionCounts;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T08:30:00.000Z' })
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
