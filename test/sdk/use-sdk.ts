import { createDocfetch, DocfetchError, type DocfetchOptions } from '../../sdk/typescript/dist/index.js';
import { startScriptedServer, type ScriptedResponse, type ScriptedServer } from './scripted-server';

export const UUID = '0198f6a0-7d5c-7000-8000-000000000001';
export const KEY = `df_test_${'A'.repeat(43)}`;
export const OK: ScriptedResponse = { status: 200, body: { data: { uuid: UUID } } };

export const path = { uuid: UUID };
/** Of a connection to be. */
export const body = { integration_id: 'sandbox', name: 'Portal', identity_uuid: UUID, fields: {} };

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): ScriptedResponse => ({
  status,
  headers,
  body: {
    type: `https://docfetch.test/docs/errors#${code}`,
    title: 'Title',
    status,
    code,
    detail: 'A sentence.',
    request_id: 'req_1',
    errors: [{ field: 'name', code: 'REQUIRED', message: 'Name is required.' }],
  },
});

/** Returns the error of a refused call. */
export async function errorOf(act: Promise<unknown>): Promise<DocfetchError> {
  const error: unknown = await act.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DocfetchError);
  return error as DocfetchError;
}

/** Starts a scripted server for the test file, and creates SDK clients. Both exist from `beforeAll` on. */
export function useSdk() {
  let started: ScriptedServer;
  beforeAll(async () => {
    started = await startScriptedServer();
  });
  afterAll(() => started?.stop());

  const server: Omit<ScriptedServer, 'stop'> = {
    get url() {
      return started.url;
    },
    get seen() {
      return started.seen;
    },
    script: (...answers) => started.script(...answers),
  };
  const docfetch = (more: Partial<DocfetchOptions> = {}) =>
    createDocfetch({ baseUrl: server.url, apiKey: KEY, token: 'a.b.c', ...more });
  return { server, docfetch };
}
