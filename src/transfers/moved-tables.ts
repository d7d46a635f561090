/**
 * The tables whose rows of an environment are copied as they are, parents before children. A test compares these lists with the
 * database, so that a new table cannot be forgotten.
 */
export const MOVED_TABLES = [
  'environment',
  'api_key',
  'identity',
  'idempotency_key',
  'connection',
  'oauth_grant',
  'oauth_flow',
  'oauth_revocation',
  'webhook',
  'transaction',
  'rendition',
  'seen_version',
  'missing_invoice',
  'fetch',
  'fetch_failure',
  'document_failure',
  'monthly_usage',
  'delivery_attempt',
  'endpoint',
  'redelivery',
  'outbox',
  'webhook_delivery',
  'sandbox_document_batch',
  'sandbox_consent',
  'inbox_mail',
  'audit_log',
] as const;
export type MovedTable = (typeof MOVED_TABLES)[number];

/** Moved in another form: the data keys for other master keys, the content for another storage. */
export const CONVERTED_TABLES = ['data_key', 'data_key_version', 'content', 'content_chunk'] as const;

/** The tables of environments that are not moved, each with the reason. */
export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
  object_deletion_queue: 'objects to delete in the bucket of the source',
  environment_transfer: 'the transfer itself',
  console_link: 'people sign in to the console of an installation',
  console_session: 'people sign in to the console of an installation',
  identity_term: 'triggers write it with the identities',
  connection_term: 'triggers write it with the connections',
  write_position: 'positions in the log of this server',
};

/** Deleted with a copy, besides the moved tables and what their foreign keys delete. */
export const SESSION_TABLES = ['console_session', 'console_link'] as const;

/** The column that names the environment. */
export const environmentColumn = (table: string): string => (table === 'environment' ? 'uuid' : 'environment_uuid');

/** The sequences of the feeds: positions that the source has assigned must stay behind those of the target. */
export const FEED_SEQUENCES = ['transaction_position_seq', 'outbox_position_seq'] as const;
