import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { AuthType, Category, Maturity } from '../../integrations/core/integration';
import { AUTH_TYPE, CATEGORY, MATURITY } from '../../integrations/core/views/integration.view';
import type { Unavailability } from '../../integrations/integration-registry';
import { apiEnum } from '../../platform/openapi/api-enum';

const UNAVAILABILITY = apiEnum<Unavailability>(
  'IntegrationUnavailability',
  'What this deployment lacks for an integration.',
  {
    NO_OAUTH_CLIENT: 'the settings have no OAuth client of the provider',
    NO_INBOX_DOMAIN: 'the settings have no domain for the addresses that receive mails',
    INVALID_PROVIDER_FILE: 'the file of the provider has errors, which are in the log',
  },
);

const COUNT = { type: 'integer', minimum: 0 } as const;

@ApiSchema({
  name: 'IntegrationConnections',
  description: 'Connections in all environments; very many are counted less often than they are read.',
})
export class IntegrationConnectionsView {
  @ApiProperty({ ...COUNT, description: 'All connections.', example: 420 })
  total: number;

  @ApiProperty({ ...COUNT, description: 'Connections with status `ACTIVE`.', example: 400 })
  active: number;

  @ApiProperty({ ...COUNT, description: 'Connections that wait for their user.', example: 12 })
  needs_attention: number;

  @ApiProperty({
    ...COUNT,
    description: 'Active connections for which no fetch has succeeded for three intervals.',
    example: 3,
  })
  overdue: number;
}

@ApiSchema({ description: 'An integration as this deployment offers it.' })
export class IntegrationStatusView {
  @ApiProperty({ description: 'Its id.', example: 'gmail' })
  integration_id: string;

  @ApiProperty({ description: 'Its name, in the language of the request.', example: 'Gmail' })
  name: string;

  @ApiProperty({ ...CATEGORY, description: 'The kind of source.', example: 'MAILBOX' })
  category: Category;

  @ApiProperty({ ...MATURITY, description: 'How well it is tested.', example: 'STABLE' })
  maturity: Maturity;

  @ApiProperty({ ...AUTH_TYPE, description: 'How it is authorized.', example: 'OAUTH2' })
  auth_type: AuthType;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'For a brand: the integration of the protocol.',
    example: null,
  })
  preset_of: string | null;

  @ApiProperty({ description: 'Whether it exists in test environments only.', example: false })
  test_only: boolean;

  @ApiProperty({ description: 'Whether users can connect to it.', example: false })
  available: boolean;

  @ApiProperty({
    ...UNAVAILABILITY,
    nullable: true,
    description: 'What is lacking; null when it is available.',
    example: 'NO_OAUTH_CLIENT',
  })
  unavailable_because: Unavailability | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether the settings have an OAuth client of the provider; null when it needs none.',
    example: false,
  })
  has_oauth_client: boolean | null;

  @ApiProperty({
    type: IntegrationConnectionsView,
    required: false,
    description: 'Its connections; absent while very many of them are being counted for the first time.',
  })
  connections?: IntegrationConnectionsView;
}
