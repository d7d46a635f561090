import type { Service } from '../harness/processes/service';
import { until } from '../harness/until';

/** The data that the benchmark requests. */
export interface HttpApiSetup {
  readonly key: string;
  readonly token: string;
  readonly connections: readonly string[];
  /** Another identity, without connections. */
  readonly bystander: string;
}

const CONNECTIONS = 20;
const DOCUMENTS = 100;

/** An environment with one identity, 20 connections and 100 documents, created through the API, as a client would. */
export async function setUpHttpApi(service: Service): Promise<HttpApiSetup> {
  const { environment_uuid, api_key: key } = await service.command<{ environment_uuid: string; api_key: string }>(
    ...['environment', 'create', '--client', 'Bench', '--name', 'Bench', '--kind', 'test'],
    ...['--return-origin', 'http://localhost:8080'],
  );
  await service.command('provisioning', 'set', '--environment', environment_uuid, '--strategy', 'polling');
  const { identity_uuid } = await service.call<{ identity_uuid: string }>(key, 'POST', '/v1/identities', {
    client_identifier: 'bench',
  });
  const { identity_uuid: bystander } = await service.call<{ identity_uuid: string }>(key, 'POST', '/v1/identities', {
    client_identifier: 'bystander',
  });
  const { token } = await service.call<{ token: string }>(key, 'POST', '/token', {
    identity_uuid,
    return_url: 'http://localhost:8080/back',
  });
  const connections: string[] = [];
  for (let number = 0; number < CONNECTIONS; number++) {
    const fields = { user: `user-${number}`, password: 'right', documents: number === 0 ? DOCUMENTS : 0 };
    const body = { integration_id: 'sandbox', name: `Portal ${number}`, identity_uuid, fields };
    const { uuid } = await service.call<{ uuid: string }>(key, 'POST', '/v1/connections', body);
    await service.call({ token }, 'PUT', `/v1/connections/${uuid}/step2`, { fields: {} });
    connections.push(uuid);
  }
  await until('all documents are there', async () => {
    const { rows } = await service.database.query<{ done: boolean }>(
      `select count(*) = ${DOCUMENTS} and not exists (select 1 from "fetch" where finished_at is null) as done
       from transaction`,
    );
    return rows[0]!.done || undefined;
  });
  return { key, token, connections, bystander };
}
