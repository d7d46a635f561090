import { OAUTH_FLOW } from '../connections/oauth/flow/oauth-flow.entity';
import { OAUTH_REVOCATION, OAUTH_TOKENS } from '../connections/oauth/tokens/oauth-grant.entity';
import { STEP1_SECRETS } from '../connections/setup/step1-secrets';
import { webhookSecretsPurpose } from '../connections/webhooks/webhook-secrets';
import { CLIENT_AUTH_SECRET, SIGNING_SECRETS } from '../identities/environments/environment.entity';
import { MAIL_ENVELOPE } from '../integrations/shared/inbox/inboxes';
import { idempotentResponsePurpose } from '../platform/http/idempotency/idempotency-keys';

type OwnerKind = 'environment' | 'connection';

/** A column with ciphertexts of data keys. */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  /** Whose data key encrypts it, and the column with the uuid of this owner. */
  readonly ownerKind: OwnerKind;
  readonly owner: string;
  /** The columns that identify a row, with their types. */
  readonly keys: Readonly<Record<string, 'uuid' | 'text' | 'bigint'>>;
  /** The context of the encryption, from the values of `keys`. */
  readonly purpose: (...keys: string[]) => string;
}

const UUID = { uuid: 'uuid' } as const;
const OF_CONNECTION = { connection_uuid: 'uuid' } as const;

/** All of them; a test compares the list with the database. Content is encrypted in chunks and has a column of its own for the version. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  of('environment', 'environment', 'uuid', 'client_auth_secret', UUID, () => CLIENT_AUTH_SECRET),
  of('environment', 'environment', 'uuid', 'signing_secrets', UUID, () => SIGNING_SECRETS),
  of('environment', 'webhook', 'environment_uuid', 'secrets', UUID, webhookSecretsPurpose),
  of(
    'environment',
    'idempotency_key',
    'environment_uuid',
    'response',
    { scope_uuid: 'uuid', key: 'text' },
    (scopeUuid, key) => idempotentResponsePurpose({ scopeUuid, key }),
  ),
  of('environment', 'oauth_grant', 'environment_uuid', 'revocation_token', OF_CONNECTION, () => OAUTH_REVOCATION),
  of('environment', 'oauth_revocation', 'environment_uuid', 'revocation_token', UUID, () => OAUTH_REVOCATION),
  of('connection', 'connection', 'uuid', 'secrets', UUID, () => STEP1_SECRETS),
  of('connection', 'oauth_grant', 'connection_uuid', 'tokens', OF_CONNECTION, () => OAUTH_TOKENS),
  of('connection', 'oauth_flow', 'connection_uuid', 'secrets', UUID, () => OAUTH_FLOW),
  of(
    'connection',
    'inbox_mail',
    'connection_uuid',
    'envelope',
    { ...OF_CONNECTION, number: 'bigint' },
    () => MAIL_ENVELOPE,
  ),
];

function of(
  ownerKind: OwnerKind,
  table: string,
  owner: string,
  column: string,
  keys: EncryptedColumn['keys'],
  purpose: EncryptedColumn['purpose'],
): EncryptedColumn {
  return { ownerKind, table, owner, column, keys, purpose };
}

/** The owner of a data key. */
export interface KeyOwner {
  readonly ownerUuid: string;
  readonly environmentUuid: string;
}

/** The columns that the data key of this owner encrypts. */
export const columnsOf = ({ ownerUuid, environmentUuid }: KeyOwner): EncryptedColumn[] =>
  ENCRYPTED_COLUMNS.filter(
    ({ ownerKind }) => ownerKind === (ownerUuid === environmentUuid ? 'environment' : 'connection'),
  );
