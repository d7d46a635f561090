import { type Connection, PORTAL } from './connections';
import { DemoFailure, type Display } from './display';
import type { ExpectedDocument } from './mailbox';
import type { ReceivedDocument } from './sample-client';
import type { DemoSetup } from './demo-setup';
import { table } from './table';

/** After this time without a new document, the missing ones count as lost. */
const SILENCE_MS = 30_000;

interface Transaction {
  readonly transaction_uuid: string;
  readonly connection_uuid: string;
  readonly integration_id: string;
  readonly document: { readonly filename: string; readonly sha256: string };
  readonly provisioning: { readonly status: string; readonly last_error: { readonly message: string } | null };
}

/** Waits until the client has every document, and compares each with its source: none missing, none unexpected, equal bytes. */
export async function waitForDocuments(display: Display, demo: DemoSetup): Promise<void> {
  await display.step('Documents arrive', async (progress) => {
    const { client, mailbox, api } = demo;
    const transactions = await api.call<Transaction[]>('GET', '/v1/transactions?limit=500', 200);
    const missing = () =>
      transactions.filter(
        ({ transaction_uuid: uuid }) => !client.received.some((one) => one.transaction_uuid === uuid),
      );
    while (missing().length > 0) {
      progress(`${client.received.length} of ${transactions.length}`);
      if (!(await client.next(SILENCE_MS))) throw await missingDocumentsFailure(demo, missing());
    }
    const portal = transactions
      .filter(({ integration_id }) => integration_id === 'sandbox')
      .map(({ document }) => document);
    const wrong = differences([...mailbox.expected, ...portal], client.received);
    const made = PORTAL.documents + PORTAL.new_per_fetch;
    if (portal.length !== made) wrong.push(`the portal has ${made} documents, but ${portal.length} were fetched`);
    if (wrong.length > 0) throw new DemoFailure('What arrived is not what was there:', wrong.slice(0, 10));
    return `${client.received.length} documents were pushed to the client: every signature valid, every SHA-256 as at the source`;
  });
}

/** A row per document, by connection and name, because they arrive concurrently. */
export function documentRows(
  received: readonly ReceivedDocument[],
  connections: readonly Connection[],
  width: number,
): string[] {
  const nameOf = new Map(connections.map(({ uuid, name }) => [uuid, name]));
  const rows = received.map(({ client_identifier, connection_uuid, filename, document_type, metadata }) => [
    client_identifier,
    nameOf.get(connection_uuid) ?? connection_uuid,
    filename,
    document_type,
    metadata.number ?? '–',
    metadata.date ?? '–',
    metadata.amount ? `${metadata.amount} ${metadata.currency ?? ''}`.trim() : '–',
  ]);
  rows.sort((a, b) => a[1]!.localeCompare(b[1]!) || a[2]!.localeCompare(b[2]!));
  const headings = ['Identity', 'Connection', 'File', 'Type', 'Number', 'Date', 'Amount'];
  return table(headings, rows, { width, flexible: 2, right: [6] });
}

/** One line for each missing and each unexpected document. Names may be sanitized, bytes must be equal. */
function differences(expected: readonly ExpectedDocument[], received: readonly ReceivedDocument[]): string[] {
  const left = [...received];
  const missing = expected.filter(({ sha256 }) => {
    const at = left.findIndex((one) => one.sha256 === sha256);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...missing.map(({ filename, sha256 }) => `missing: ${filename} (SHA-256 ${sha256})`),
    ...left.map(({ filename, sha256 }) => `not expected: ${filename} (SHA-256 ${sha256})`),
  ];
}

async function missingDocumentsFailure(
  { api, client, service }: DemoSetup,
  missing: readonly Transaction[],
): Promise<DemoFailure> {
  const states = missing.slice(0, 5).map(async ({ transaction_uuid: uuid }) => {
    const { document, provisioning } = await api.call<Transaction>('GET', `/v1/transactions/${uuid}`, 200);
    return `${document.filename}: ${provisioning.status} ${provisioning.last_error?.message ?? ''}`.trim();
  });
  return new DemoFailure(`${missing.length} documents did not arrive: nothing came for ${SILENCE_MS / 1000} seconds.`, [
    ...(await Promise.all(states)),
    ...client.errors.slice(-3).map((line) => `The client said: ${line}`),
    `Log of the service: ${service.log}`,
  ]);
}
