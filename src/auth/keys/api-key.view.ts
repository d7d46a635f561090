import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { KEY_SCOPES, type KeyScope } from '../../platform/http/access/key-scope';
import { KEY_SCOPE } from './api-key-scope';
import { apiEnum } from '../../platform/openapi/api-enum';
import type { ApiKey } from './api-key.entity';

type ApiKeyStatus = 'ACTIVE' | 'EXPIRED' | 'REVOKED';

const API_KEY_STATUS = apiEnum<ApiKeyStatus>('ApiKeyStatus', 'Whether an API key is accepted.', {
  ACTIVE: 'it is accepted',
  EXPIRED: 'it has expired',
  REVOKED: 'it was revoked',
});

const TIME = { type: String, format: 'date-time', nullable: true } as const;

/** What a key is limited to. */
export class ApiKeyLimitsView {
  @ApiProperty({
    ...KEY_SCOPE,
    isArray: true,
    description: 'What it may be used for; all scopes unless it was issued with some.',
    example: ['read', 'write'],
  })
  scopes: readonly KeyScope[];

  @ApiProperty({
    type: [String],
    description:
      'The networks (CIDR) from which it may be used; empty for all. UI tokens are issued only to them, and then work from every address.',
    example: ['203.0.113.0/24'],
  })
  allowed_ips: readonly string[];
}

@ApiSchema({ name: 'ApiKey', description: 'An API key of an environment, without the key itself.' })
export class ListedApiKeyView extends ApiKeyLimitsView {
  @ApiProperty({ format: 'uuid', description: 'The key.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  key_uuid: string;

  @ApiProperty({ description: 'How it begins.', example: 'df_live_' })
  prefix: string;

  @ApiProperty({ description: 'Its last four characters.', example: 'x3Zq' })
  last_four: string;

  @ApiProperty({ ...API_KEY_STATUS, description: 'Whether it is accepted.', example: 'ACTIVE' })
  status: ApiKeyStatus;

  @ApiProperty({ format: 'date-time', description: 'When it was issued.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;

  @ApiProperty({
    ...TIME,
    description: 'When it was last used, to the minute; null when it has not been used.',
    example: '2026-11-26T21:04:00.000Z',
  })
  last_used_at: string | null;

  @ApiProperty({ ...TIME, description: 'When it expires; null when it does not expire.', example: null })
  expires_at: string | null;

  @ApiProperty({ ...TIME, description: 'When it was revoked; null when it was not.', example: null })
  revoked_at: string | null;
}

@ApiSchema({
  name: 'IssuedApiKey',
  description: 'An API key that was just issued. Only this response contains the key.',
})
export class IssuedApiKeyView extends ListedApiKeyView {
  @ApiProperty({
    description: 'The key. It is not stored and not shown again.',
    example: 'df_live_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAx3Z',
  })
  api_key: string;
}

export const keyLimitsView = ({ scopes, allowedIps }: ApiKey): ApiKeyLimitsView => ({
  scopes: scopes ?? KEY_SCOPES,
  allowed_ips: allowedIps ?? [],
});

export function apiKeyView(key: ApiKey, now: Date): ListedApiKeyView {
  const isExpired = key.expiresAt != null && key.expiresAt <= now;
  return {
    key_uuid: key.uuid,
    prefix: key.prefix,
    last_four: key.lastFour,
    ...keyLimitsView(key),
    status: key.revokedAt ? 'REVOKED' : isExpired ? 'EXPIRED' : 'ACTIVE',
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
