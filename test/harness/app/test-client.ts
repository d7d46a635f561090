import { randomUUID } from 'node:crypto';
import request, { type Test } from 'supertest';
import { CreateClient } from '../../../src/auth/keys/create-client';
import type { NewEnvironment } from '../../../src/identities/environments/create-environment';
import { type ProvisioningSettings, SetProvisioning } from '../../../src/identities/environments/set-provisioning';
import type { TestApp } from './start-app';

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

/** A client application with an environment and an API key that calls the service over HTTP. */
export interface TestClient {
  readonly environmentUuid: string;
  readonly apiKey: string;
  readonly signingSecret: string;
  /** A request with the API key. */
  request(method: Method, path: string): Test;
  /** A request with a UI token. */
  requestWithToken(token: string, method: Method, path: string): Test;
  createIdentity(clientIdentifier?: string): Promise<string>;
  createToken(identityUuid: string, more?: Record<string, unknown>): Promise<string>;
}

/** A request without credentials. */
export const requestWithoutCredentials = (app: TestApp, method: Method, path: string): Test =>
  request(app.url)[method](path);

/** Creates an environment with its client, as the support team does. */
export async function createTestClient(
  app: TestApp,
  options: { environment?: Partial<NewEnvironment>; provisioning?: ProvisioningSettings } = {},
): Promise<TestClient> {
  const { environment, apiKey, signingSecret } = await app.app.get(CreateClient, { strict: false }).create('test', {
    clientName: 'Acme',
    name: 'Test',
    kind: 'TEST',
    returnOrigins: ['https://app.example.com'],
    fetchIntervalMinutes: 1440,
    ...options.environment,
  });
  if (options.provisioning) {
    await app.app.get(SetProvisioning, { strict: false }).set('test', environment.uuid, options.provisioning);
  }
  const client: TestClient = {
    environmentUuid: environment.uuid,
    apiKey,
    signingSecret,
    request: (method, path) => request(app.url)[method](path).set('X-API-KEY', apiKey),
    requestWithToken: (token, method, path) => request(app.url)[method](path).set('X-TOKEN', token),
    async createIdentity(clientIdentifier = randomUUID()) {
      const answer = await client
        .request('post', '/v1/identities')
        .send({ client_identifier: clientIdentifier })
        .expect(201);
      return (answer.body as { data: { identity_uuid: string } }).data.identity_uuid;
    },
    async createToken(identityUuid, more = {}) {
      const body = { identity_uuid: identityUuid, return_url: 'https://app.example.com/back', ...more };
      const answer = await client.request('post', '/token').send(body).expect(201);
      return (answer.body as { data: { token: string } }).data.token;
    },
  };
  return client;
}
