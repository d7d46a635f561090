import { v7 as uuid } from 'uuid';
import type { Service } from '../harness/processes/service';
import type { HttpApiSetup } from './http-api-setup';
import type { Load } from './wrk';

/** spec 4.6 rule 1: the number of accepted fetches per connection. */
const ACCEPTED = 5;
/** Connections for one measurement of fetch-now, more than it can use up. */
const FETCHED = 600;
/** Measurements of fetch-now, each with its own connections. */
const MEASUREMENTS = 20;

/** One operation of the API. */
export interface Case extends Omit<Load, 'base' | 'paths'> {
  readonly name: string;
  /** The paths of the next measurement. */
  paths(): readonly string[];
  /** The connections that the bare route replaces the recorded one with, as each may be fetched only a few times. */
  readonly rotation?: readonly string[];
}

/** The operations that are measured. */
export async function casesFor(
  { database }: Service,
  { key, token, connections, bystander }: HttpApiSetup,
): Promise<Case[]> {
  const byKey = { 'x-api-key': key };
  const get = (name: string, path: string, headers: Record<string, string>): Case => ({
    ...{ name, headers, method: 'GET', refused: false },
    paths: () => [path],
  });
  const [model] = connections;
  const copies = await copiesOf(database, model!, bystander, FETCHED * (MEASUREMENTS + 1));
  const rotation = copies.splice(0, FETCHED);
  const [exhausted] = rotation;
  const fetchNow = (name: string, paths: Case['paths'], refused: boolean): Case => ({
    ...{ name, paths, refused, headers: byKey, method: 'POST', rotation },
  });
  return [
    get('GET /health/live', '/health/live', {}),
    get('GET connection', `/v1/connections/${model}`, byKey),
    get('GET connections (20 rows)', '/v1/connections', { 'x-token': token }),
    get('GET transactions (100 rows)', '/v1/transactions?limit=100', byKey),
    fetchNow(
      'POST fetch-now, accepted',
      () =>
        copies.splice(0, FETCHED).flatMap((copy) => Array<string>(ACCEPTED).fill(`/v1/connections/${copy}/fetch-now`)),
      false,
    ),
    fetchNow('POST fetch-now, refused', () => [`/v1/connections/${exhausted}/fetch-now`], true),
  ];
}

/** Creates active connections like an existing one, of another identity. They are never fetched, as no worker runs. */
async function copiesOf(
  database: Service['database'],
  model: string,
  identity: string,
  count: number,
): Promise<string[]> {
  const { rows } = await database.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_name = 'connection' and table_schema = 'public' and column_name not in ('uuid', 'identity_uuid')`,
  );
  const uuids = Array.from({ length: count }, () => uuid());
  const { columns } = rows[0]!;
  await database.query(
    `insert into connection (uuid, identity_uuid, ${columns})
     select copy, $3, ${columns} from connection, unnest($2::uuid[]) copy where uuid = $1`,
    [model, uuids, identity],
  );
  await database.query('analyze connection'); // as autovacuum does a little later
  return uuids;
}
