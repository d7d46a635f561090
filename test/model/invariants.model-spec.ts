import { type Evidence, violations } from './invariants';
import { Model, ModelConnection } from './model';
import type { ObservedFetch, ObservedTransaction } from './observe';
import { PushLog } from './push-log';

const CONNECTION = 'connection';

type Changeable<T> = { -readonly [Member in keyof T]: T[Member] };

/** A service that does everything right: two documents, recorded by one fetch; one was delivered, one waits. */
function rightful() {
  const connection = new ModelConnection(CONNECTION, 'PUSH', 2, ['invoice', 'credit_note'], 0);
  const model = new Model();
  model.connections.set(CONNECTION, connection);
  const fetch: Changeable<ObservedFetch> = {
    uuid: 'fetch',
    connection_uuid: CONNECTION,
    status: 'SUCCEEDED',
    ...{ seen: 2, new: 2, duplicate: 0, filtered: 0, filtered_by: null, failed: 0, error_code: null },
    started_at: new Date(1),
  };
  const row = (key: string, status: string): Changeable<ObservedTransaction> => ({
    uuid: `transaction-${key}`,
    connection_uuid: CONNECTION,
    strategy: 'PUSH',
    key,
    status,
    due_at: status === 'PENDING' ? new Date() : null,
  });
  const transactions = [row('00001', 'DELIVERED'), row('00002', 'PENDING')];
  const pushes = new PushLog();
  push(pushes, 'transaction-00001', true);
  const evidence: Changeable<Evidence> = {
    statuses: new Map([[CONNECTION, 'ACTIVE']]),
    fetches: [fetch],
    transactions,
    waiting: new Set(['transaction-00002']),
    remains: [],
    pushes,
    feeds: [{ received: new Set(transactions.map(({ uuid }) => uuid)), repeated: [] }],
  };
  return { model, connection, evidence, fetch, transactions, pushes };
}

function push(log: PushLog, key: string, accepted: boolean): void {
  log.arrived(key);
  log.ended(key, accepted);
}

type Rightful = ReturnType<typeof rightful>;

describe('The checks of the model', () => {
  it('find nothing in a service that does everything right', () => {
    const { model, evidence } = rightful();
    expect(violations(model, evidence)).toEqual([]);
  });

  it.each<[what: string, fault: (service: Rightful) => unknown, found: string]>([
    ['a document without an outcome', ({ fetch }) => fetch.seen++, 'is not 2 + 0 + 0 + 0'],
    ['a fetch that never ends', ({ fetch }) => (fetch.status = 'RUNNING'), 'is RUNNING at rest'],
    ['a document recorded twice', ({ transactions }) => (transactions[1]!.key = '00001'), '2 transactions of 1 keys'],
    ['a count without its record', ({ fetch }) => Object.assign(fetch, { seen: 3, new: 3 }), 'its fetches count 3'],
    ['a record while disabled', ({ connection }) => (connection.disabledWith = 1), 'was disabled with 1'],
    ['a document that was not chosen', ({ transactions }) => (transactions[1]!.key = '00003'), 'which no selection'],
    ['a document that is missed', ({ connection }) => connection.place(1, null), 'has missed P00001'],
    ['a wrong status', ({ evidence }) => (evidence.statuses = new Map([[CONNECTION, 'PENDING']])), 'not ACTIVE'],
    [
      'an accepted fetch without a record',
      ({ connection }) => connection.manualFetches.push({ at: 0, fetch: 'lost' }),
      'accepted fetch lost',
    ],
    [
      'a document that is read again',
      ({ evidence, fetch }) => (evidence.fetches = [fetch, { ...fetch, uuid: 'later', new: 0, duplicate: 2 }]),
      '0 new of 2 in a source that has not changed',
    ],
    [
      'a document that is counted twice',
      ({ fetch }) => Object.assign(fetch, { seen: 3, filtered: 1 }),
      'has seen 3 documents of 2',
    ],
    [
      'a filtered document without a reason',
      ({ fetch }) => Object.assign(fetch, { seen: 3, filtered: 1 }),
      '1 filtered, and reasons for 0',
    ],
    ['a delivery that is neither settled nor due', ({ transactions }) => (transactions[1]!.due_at = null), 'due time'],
    ['a delivery that is not listed', ({ evidence }) => (evidence.waiting = new Set()), 'not listed'],
    ['a delivery that never arrived', ({ evidence }) => (evidence.pushes = new PushLog()), 'never answered with 200'],
    [
      'a lost acknowledgement',
      ({ model }) =>
        model.transactions.set('transaction-00001', {
          uuid: 'transaction-00001',
          connection: CONNECTION,
          strategy: 'PUSH',
          acknowledged: 'REJECTED',
        }),
      'was acknowledged as REJECTED',
    ],
    [
      'a second push after a 200',
      ({ pushes }) => push(pushes, 'transaction-00001', false),
      'arrives again after a 200',
    ],
    ['a gap in the feed', ({ evidence }) => (evidence.feeds = []), 'left out transaction-00001'],
    [
      'a repetition in the feed',
      ({ evidence }) => (evidence.feeds = [{ ...evidence.feeds[0]!, repeated: ['transaction-00001'] }]),
      'the feed repeats',
    ],
    ['a remaining row', ({ evidence }) => (evidence.remains = ['content.owner_uuid']), 'something deleted'],
    ['a deleted connection that is listed', ({ model }) => model.connections.clear(), 'although it was deleted'],
  ])('find %s', (_, fault, found) => {
    const service = rightful();
    fault(service);
    expect(violations(service.model, service.evidence).join('\n')).toContain(found);
  });

  it('find a document that is lost after it was recorded', () => {
    const { model, connection, evidence, fetch } = rightful();
    connection.atRest('ACTIVE', new Set(['00001', '00002']));
    Object.assign(fetch, { seen: 1, new: 1, status: 'PARTIAL' });
    evidence.transactions = evidence.transactions.slice(0, 1);
    expect(violations(model, evidence)).toEqual([`connection ${CONNECTION} has lost 00002`]);
  });
});

describe('The log of pushes', () => {
  it('allows attempts until a 200, and one more 200 for each redelivery', () => {
    const log = new PushLog();
    for (const accepted of [false, false, true]) push(log, 'a', accepted);
    log.redeliver('a');
    for (const accepted of [false, true]) push(log, 'a', accepted);
    expect(log.takeForbidden()).toEqual([]);
    push(log, 'a', true);
    expect(log.takeForbidden()).not.toEqual([]);
  });

  it('allows one more 200 of documents that first arrive after a redelivery of all, until the service is at rest', () => {
    const log = new PushLog();
    log.redeliver();
    for (let pushes = 0; pushes < 2; pushes++) push(log, 'a', true);
    expect(log.takeForbidden()).toEqual([]);
    push(log, 'a', true);
    expect(log.takeForbidden()).toEqual(['a arrives again after a 200']);
    log.atRest(new Set());
    push(log, 'b', true);
    expect(log.takeForbidden()).toEqual([]);
    push(log, 'b', true);
    expect(log.takeForbidden()).toEqual(['b arrives again after a 200']);
  });

  it('allows one more push of what a killed worker had not written, and counts them', () => {
    const log = new PushLog();
    for (const key of ['a', 'b']) push(log, key, true);
    expect(log.excuse(['a', 'c'])).toBe(1);
    for (const key of ['a', 'c']) push(log, key, true);
    expect(log.takeForbidden()).toEqual([]);
    push(log, 'b', true);
    expect(log.takeForbidden()).not.toEqual([]);
  });

  it('allows a number of repeats after a worker was suspended, until the service is at rest', () => {
    const log = new PushLog();
    push(log, 'a', true);
    log.tolerateRepeats(2);
    for (let repeats = 0; repeats < 2; repeats++) push(log, 'a', true);
    expect(log.takeForbidden()).toEqual([]);
    push(log, 'a', true);
    expect(log.takeForbidden()).not.toEqual([]);
    log.tolerateRepeats(2);
    log.atRest(new Set());
    push(log, 'a', true);
    expect(log.takeForbidden()).not.toEqual([]);
  });

  it('counts the later push of a document among the repeats when a suspended worker has not read its 200', () => {
    const log = new PushLog();
    for (const key of ['a', 'b']) push(log, key, true);
    log.tolerateRepeats(1);
    log.atRest(new Set(['a', 'b']));
    push(log, 'a', true);
    expect(log.takeForbidden()).toEqual([]);
    push(log, 'b', true);
    expect(log.takeForbidden()).toEqual(['b arrives again after a 200']);
  });

  it('forbids pushes of what is settled', () => {
    const log = new PushLog();
    for (const key of ['a', 'b']) push(log, key, false);
    log.atRest(new Set(['b']));
    push(log, 'b', true);
    expect(log.takeForbidden()).toEqual([]);
    push(log, 'a', true);
    expect(log.takeForbidden()).not.toEqual([]);
  });
});
