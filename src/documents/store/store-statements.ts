/**
 * Bytes need not be on disk when they are written, only when a record owns them: the record's commit comes later in the
 * same log, and waits for everything before it. So they do not wait for the disk themselves.
 */
const WITHOUT_WAITING = `set_config('synchronous_commit', 'off', true)`;

/** For bytes in the database. */
export const BEGIN = `
  insert into content (uuid, owner_uuid, size, sha256, chunks, created_at)
  select $1::uuid, $2::uuid, 0, '', 0, $3::timestamptz from ${WITHOUT_WAITING}`;
export const GO_ON = `
  insert into content_chunk (content_uuid, index, bytes)
  select $1::uuid, $2::integer, $3::bytea from ${WITHOUT_WAITING}`;
/** One statement: a small document costs one round trip. */
export const END = `
  with stored as (
    insert into content (uuid, owner_uuid, size, sha256, chunks, created_at)
    select $1::uuid, $2::uuid, $3::bigint, $4::text, $5::integer, $6::timestamptz from ${WITHOUT_WAITING}
    on conflict (uuid) do update set size = excluded.size, sha256 = excluded.sha256, chunks = excluded.chunks
    returning uuid)
  insert into content_chunk (content_uuid, index, bytes) select uuid, $7::integer, $8::bytea from stored`;

export const READ = 'select bytes from content_chunk where content_uuid = $1 and index = $2';

/** For bytes in a bucket. On disk before the first object is: so there is none that nobody knows of, whatever happens in between. */
export const BEGIN_IN_BUCKET = `
  insert into content (uuid, owner_uuid, size, sha256, chunks, created_at, location)
  values ($1, $2, 0, '', 0, $3, $4)`;
export const END_IN_BUCKET = `
  update content set size = $2, sha256 = $3, chunks = $4 from ${WITHOUT_WAITING} where uuid = $1 returning uuid`;
export const WHERE_IT_LIES = 'select location from content where uuid = $1';
