/** A generator of TypeScript clients, and a program that uses its output. */
interface Generator {
  readonly name: string;
  readonly command: string;
  /** `openapi.json` is in the working directory; clients are written to `generated/`. */
  readonly args: readonly string[];
  /** Compiled with the client: fails when a name or a type differs from the documented one. */
  readonly use: string;
}

const HEY_API = `
import {
  type Connection, createConnection, createIdentity, fetchNow, getConnection, listTransactions, pullDocument,
  type ProvisionedDocument, type ReceiveDocumentWebhookPayload, type ValidationError,
} from './generated';
import { createClient } from './generated/client';

const client = createClient({ baseUrl: 'https://docfetch.example.com', headers: { 'X-API-KEY': 'df_test_x' } });

export async function connect(): Promise<Connection> {
  const identity = await createIdentity({ client, body: { client_identifier: 'customer-4711' } });
  const { data, error } = await createConnection({
    client,
    headers: { Lang: 'de', 'Idempotency-Key': '1' },
    body: { integration_id: 'imap', name: 'Invoices', identity_uuid: identity.data!.data.identity_uuid, fields: { port: 993 } },
  });
  if (!data) throw new Error((error as ValidationError).errors.map(({ field }) => field).join());
  const steps: string[] = data.data.step2_fields?.map((field) => field.id) ?? [];
  const queued = await fetchNow({ client, path: { uuid: data.data.uuid } });
  const uuid: string | undefined = queued.data?.uuid;
  const { data: one } = await getConnection({ client, path: { uuid: uuid ?? steps[0] ?? '' } });
  return one!.data;
}

export async function poll(cursor: string | undefined): Promise<string> {
  const { data: page } = await listTransactions({ client, query: { cursor, limit: 100, status: 'AVAILABLE' } });
  for (const transaction of page!.data) {
    const amount: string | undefined = transaction.metadata.amount;
    if (amount) await pullDocument({ client, path: { transaction_uuid: transaction.transaction_uuid } });
  }
  return page!.meta.poll_cursor;
}

export const received = (pushed: ReceiveDocumentWebhookPayload): ProvisionedDocument => pushed;
`;

const OPENAPI_TYPESCRIPT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/schema';

const client = createClient<paths>({ baseUrl: 'https://docfetch.example.com', headers: { 'X-API-KEY': 'df_test_x' } });

export async function connect(identity_uuid: string): Promise<components['schemas']['ConnectionSetup']> {
  const { data, error } = await client.POST('/v1/connections', {
    params: { header: { Lang: 'de', 'Idempotency-Key': '1' } },
    body: { integration_id: 'imap', name: 'Invoices', identity_uuid, fields: { port: 993 } },
  });
  if (error) throw new Error(error.code);
  return data.data;
}

export async function poll(cursor: string | undefined): Promise<string> {
  const { data: page } = await client.GET('/v1/transactions', { params: { query: { cursor, status: 'AVAILABLE' } } });
  return page!.meta.poll_cursor;
}
`;

const ORVAL = `
import { type Connection, createConnection, getConnection, listTransactions } from './generated/client';

export async function connect(identity_uuid: string): Promise<Connection> {
  const created = await createConnection({ integration_id: 'imap', name: 'Invoices', identity_uuid, fields: { port: 993 } });
  if (created.status !== 201) throw new Error(created.data.code);
  const answer = await getConnection(created.data.data.uuid);
  if (answer.status !== 200) throw new Error(answer.data.detail);
  return answer.data.data;
}

export async function poll(cursor: string | undefined): Promise<string | null> {
  const page = await listTransactions({ cursor, status: 'AVAILABLE' });
  return page.status === 200 ? page.data.meta.poll_cursor : null;
}
`;

export const GENERATORS: readonly Generator[] = [
  {
    name: '@hey-api/openapi-ts',
    command: 'openapi-ts',
    args: ['--input', 'openapi.json', '--output', 'generated', '--silent'],
    use: HEY_API,
  },
  {
    name: 'openapi-typescript with openapi-fetch',
    command: 'openapi-typescript',
    args: ['openapi.json', '--output', 'generated/schema.ts'],
    use: OPENAPI_TYPESCRIPT,
  },
  {
    name: 'orval',
    command: 'orval',
    args: ['--input', 'openapi.json', '--output', 'generated/client.ts', '--client', 'fetch'],
    use: ORVAL,
  },
];
