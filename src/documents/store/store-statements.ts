import { CHUNK_START_BYTES } from './chunk-store';

/**
 * Bytes have to be durable only when their record is committed. The commit of the record comes later in the same write-ahead log
 * and waits for everything before it, so these statements do not wait for the disk.
 */
const ASYNC_COMMIT = `set_config('synchronous_commit', 'off', true)`;

/** For bytes in the database. */
export const INSERT_CONTENT = `
  insert into content (uuid, owner_uuid, environment_uuid, size, sha256, chunks, created_at, key_version)
  select $1::uuid, $2::uuid, $3::uuid, 0, '', 0, $4::timestamptz, $5::integer from ${ASYNC_COMMIT}`;
export const INSERT_CHUNK = `
  insert into content_chunk (content_uuid, environment_uuid, index, bytes)
  select $1::uuid, $2::uuid, $3::integer, $4::bytea from ${ASYNC_COMMIT}`;
/** One statement: a small document costs one round trip. */
export const COMPLETE_CONTENT = `
  with stored as (
    insert into content (uuid, owner_uuid, environment_uuid, size, sha256, chunks, created_at, key_version)
    select $1::uuid, $2::uuid, $3::uuid, $4::bigint, $5::text, $6::integer, $7::timestamptz, $10::integer from ${ASYNC_COMMIT}
    on conflict (uuid, environment_uuid) do update
      set size = excluded.size, sha256 = excluded.sha256, chunks = excluded.chunks
    returning uuid, environment_uuid)
  insert into content_chunk (content_uuid, environment_uuid, index, bytes)
  select uuid, environment_uuid, $8::integer, $9::bytea from stored`;

export const REPLACE_CHUNK = `
  update content_chunk set bytes = $4::bytea where content_uuid = $1 and index = $2 and substring(bytes for ${CHUNK_START_BYTES}) = $3`;
export const END_REPLACEMENT = `
  update content set key_version = $2::integer where uuid = $1 and key_version < $2 and not exists (
    select from content_chunk where content_uuid = $1 and ciphertext_key_version(substring(bytes for 8)) < $2) returning uuid`;

export const READ_CHUNK = 'select bytes from content_chunk where content_uuid = $1 and index = $2';

/** For bytes in a bucket. Durable before the first object is written, so that no object is ever unknown. After an interrupted import, the row exists, with its former location. */
export const INSERT_BUCKET_CONTENT = `
  insert into content (uuid, owner_uuid, environment_uuid, size, sha256, chunks, created_at, location, key_version)
  values ($1, $2, $3, 0, '', 0, $4, $5, $6)
  on conflict (uuid, environment_uuid) do update set location = excluded.location, tail_from = null`;
export const COMPLETE_BUCKET_CONTENT = `
  update content set size = $2, sha256 = $3, chunks = $4, tail_from = $5 from ${ASYNC_COMMIT} where uuid = $1 returning uuid`;
export const SELECT_LOCATION = 'select location, tail_from from content where uuid = $1';
