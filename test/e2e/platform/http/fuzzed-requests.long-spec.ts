import fc from 'fast-check';
import { Agent } from 'node:http';
import { takeDeviations } from '../../../harness/conformance/check-all-responses';
import { OPERATIONS, requestsFor } from '../../../harness/fuzz/fuzz-requests';
import { sendRawRequest } from '../../../harness/fuzz/raw-request';
import { connectionWithDocuments } from '../../../harness/app/connection-with-documents';
import { useTestContext } from '../../../harness/app/test-context';

/** The number of requests per operation; set FUZZ_RUNS for a longer search. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 60);
/** The same requests in every run, so that a failure can be reproduced; FUZZ_SEED changes them. */
const SEED = Number(process.env.FUZZ_SEED ?? 20261121);

describe('Fuzzed requests (decisions 1 and 2)', () => {
  const context = useTestContext({ role: 'all' });
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  afterAll(() => agent.destroy());

  it.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    '%s answers as the document says: no 500, no hang, a listed error body',
    async (_, operation) => {
      const identity = await context.client.createIdentity(); // a separate one, because some operations delete it
      const identityToken = await context.client.createToken(identity);
      const uuid = await connectionWithDocuments(context, { documents: 3 }, { uuid: identity, token: identityToken });
      const { body } = await context.client.request('get', `/v1/transactions?connection_uuid=${uuid}`).expect(200);
      const documents = (body as { data: { transaction_uuid: string }[] }).data.map((row) => row.transaction_uuid);
      const known = {
        uuid: [uuid],
        identity_uuid: [identity],
        connection_uuid: [uuid],
        transaction_uuid: documents,
        integration_id: ['sandbox'],
        field_id: ['folders'],
        name: ['Portal'],
        fields: [
          { user: 'u', password: 'p' },
          { user: 'u', password: 'p', folders: ['2026'] },
        ],
        return_url: ['https://app.example.com/back'],
      };
      const [key, token] = [{ 'X-API-KEY': context.client.apiKey }, { 'X-TOKEN': identityToken }];
      await fc.assert(
        fc.asyncProperty(requestsFor(operation, known, [key, token, { ...key, ...token }]), async (call) => {
          const answer = await sendRawRequest(agent, context.app.url, call);
          expect(answer.status).toBeLessThan(500);
          expect(takeDeviations()).toEqual([]);
          if (answer.status >= 400) expect(answer.type).toBe('application/json');
          expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      );
    },
    120_000,
  );
});
