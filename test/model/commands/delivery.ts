import fc from 'fast-check';
import { ENDPOINT_MODES } from '../push-endpoint';
import { step } from './step';

const transaction = fc.nat(9_999);

export const changeEndpoint = fc
  .record({ mode: fc.oneof(fc.constant('accepts' as const), fc.constantFrom(...ENDPOINT_MODES)) })
  .map((given) => step('change the endpoint', given, (_, { endpoint }) => endpoint.setMode(given.mode)));

export const redeliver = fc.record({ transaction }).map((given) =>
  step(
    'redeliver',
    given,
    async (model, modelRun) => {
      const known = model.transaction(given.transaction)!;
      if (known.strategy === 'PUSH') modelRun.endpoint.log.redeliver(known.uuid);
      const { client } = modelRun.tenants[known.strategy];
      await client.request('post', `/v1/transactions/${known.uuid}/redeliver`).expect(202);
      known.acknowledged = null;
    },
    (model) => model.transactions.size > 0,
  ),
);

export const redeliverAll = fc.record({ status: fc.constantFrom('FAILED', 'DELIVERED') }).map((given) =>
  step(
    'redeliver all',
    given,
    async (_, { endpoint, tenants }) => {
      endpoint.log.redeliver();
      await tenants.PUSH.client.request('post', '/v1/transactions/redeliver').send(given).expect(202);
    },
    (model) => model.transactions.size > 0,
  ),
);

export const acknowledge = fc
  .record({
    transactions: fc.array(transaction, { minLength: 1, maxLength: 3 }),
    result: fc.constantFrom('ACCEPTED', 'REJECTED'),
  })
  .map((given) =>
    step(
      'acknowledge',
      given,
      async (model, { tenants }) => {
        const first = model.transaction(given.transactions[0]!)!;
        const chosen = given.transactions
          .map((choice) => model.transaction(choice)!)
          .filter(({ strategy }) => strategy === first.strategy);
        const uuids = [...new Set(chosen.map(({ uuid }) => uuid))];
        await tenants[first.strategy].client
          .request('post', '/v1/transactions/acknowledge')
          .send({ transaction_uuids: uuids, result: given.result })
          .expect(204);
        for (const one of chosen) one.acknowledged = given.result === 'ACCEPTED' ? 'ACKNOWLEDGED' : 'REJECTED';
      },
      (model) => model.transactions.size > 0,
    ),
  );
