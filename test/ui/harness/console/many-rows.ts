import type { UiContext } from '../ui-context';
import { addConnections, addRows, FEW } from './add-rows';

/** Rows of an environment, for views that list them. */
export interface ManyRows {
  /** The name of the client. */
  readonly client: string;
  /** A connection that has most of them. */
  readonly connection: string;
  /** A connection without any. */
  readonly blankConnection: string;
  /** An e-invoice with a hundred attempts. */
  readonly transaction: string;
  readonly webhook: string;
}

/** Fills the environment: `count` rows of its documents and of each table of its history, a hundred of everything else. */
export async function fillEnvironment(ui: UiContext, count: number): Promise<ManyRows> {
  const connection = await ui.fetchedConnection(await ui.client.createIdentity('kunde-1'), {
    fields: { documents: 12 },
  });
  const [transaction] = await ui.query<{ uuid: string }>(
    `select uuid from transaction where connection_uuid = $1 and metadata ? 'e_invoice' order by uuid limit 1`,
    [connection],
  );
  const webhook = await createWebhook(ui);
  const environment = ui.client.environmentUuid;
  await addRows(ui.query, { environment, connection, transaction: transaction!.uuid, webhook }, 1, count);
  await addConnections(ui, connection, 'Lieferant', FEW);
  const [blank] = await ui.query<{ uuid: string }>(
    'select uuid from connection where environment_uuid = $1 order by uuid desc limit 1',
    [ui.client.environmentUuid],
  );
  await ui.query('update connection set failed_documents = $2 where uuid = $1', [connection, count]);
  await ui.query(
    `update environment set strategy = 'PUSH', provisioning_url = 'https://push.example.com' where uuid = $1`,
    [ui.client.environmentUuid],
  );
  await ui.query('analyze');
  return { client: 'Acme', connection, blankConnection: blank!.uuid, transaction: transaction!.uuid, webhook };
}

async function createWebhook({ client, clientSite }: UiContext): Promise<string> {
  const { body } = await client
    .request('post', '/v1/webhooks')
    .send({ url: `${clientSite.origin}/hook`, events: ['delivery.failed'] })
    .expect(201);
  return (body as { data: { uuid: string } }).data.uuid;
}
