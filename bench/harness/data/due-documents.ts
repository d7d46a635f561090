import type { Client } from 'pg';

/** Empties the tables and completes writes of an earlier round. */
export async function clearDocuments(database: Client): Promise<void> {
  await database.query('truncate transaction, delivery_attempt, content, content_chunk cascade');
  await database.query('checkpoint');
}

/** Throws unless `documents` documents of `bytes` bytes of a connection are encrypted, recorded and due. */
export async function checkDue(database: Client, connection: string, documents: number, bytes: number): Promise<void> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::integer as count
     from transaction t join content c on c.uuid = t.content_uuid join content_chunk h on h.content_uuid = c.uuid
     where t.connection_uuid = $1 and t.status = 'PENDING' and t.due_at is not null and c.attached_at is not null
       and c.size = $2 and h.index = 0 and length(h.bytes) > $2`,
    [connection, bytes],
  );
  if (rows[0]!.count !== documents) throw new Error(`${rows[0]!.count} documents are due instead of ${documents}.`);
}
