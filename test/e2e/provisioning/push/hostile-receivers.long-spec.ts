import { makeCertificate } from '../../../fakes/imap/certificate';
import {
  answersMuch,
  answersUnread,
  breaksOffAnswer,
  FullBacklog,
  HostileReceiver,
  type HostileBehavior,
  tricklesBody,
  tricks,
} from '../../../fakes/hostile-receiver';
import { answer, Receiver } from '../../../fakes/receiver';
import { eventually } from '../../../harness/eventually';
import { TestEngine, type TransactionRow } from '../../../harness/engine/test-engine';
import {
  waitForAllDelivered,
  listAttempts,
  createDocuments,
  waitForIdlePush,
  setResponseTimeout,
  isDelivered,
  secondsUntilRetry,
} from './push-setup';

const SMALL = 4;
/** Larger than the buffers between two sockets, so that a receiver that does not read blocks the sender. */
const LARGE = 4 * 1024;
const MEBI = 1024 * 1024;
/** The response timeout in tests instead of thirty seconds. */
const SILENCE_MS = 1_500;
const DAY = 86_400_000;

const trusted = makeCertificate({ hosts: ['documents.example'] });
const expired = makeCertificate({ hosts: ['documents.example'], notAfter: new Date(Date.now() - DAY / 2) });
const untrusted = makeCertificate({ hosts: ['documents.example'] });

/** The behavior at the first attempt, kilobytes of the document, and the code and status of the failure. */
const FAILING: [string, HostileBehavior, number, string, number | null][] = [
  ['takes the connection and nothing else', tricks.neverReads, SMALL, 'TIMEOUT', null],
  ['stops reading in a document', tricks.neverReads, LARGE, 'TIMEOUT', null],
  ['reads everything and says nothing', tricks.saysNothing, SMALL, 'TIMEOUT', null],
  ['reads a long document and says nothing', tricks.saysNothing, LARGE, 'TIMEOUT', null],
  ['says its headers letter by letter', tricks.tricklesHeaders, SMALL, 'TIMEOUT', null],
  ['says that it is at work for ever', tricks.isStillProcessing, SMALL, 'TIMEOUT', null],
  ['has headers without an end', tricks.headersWithoutEnd, SMALL, 'CONNECTION_FAILED', null],
  ['speaks another protocol', tricks.speaksNoHttp, SMALL, 'CONNECTION_FAILED', null],
  ['hangs up without a word', tricks.hangsUp, SMALL, 'CONNECTION_FAILED', null],
  ['resets at once', tricks.resetsAtOnce, SMALL, 'CONNECTION_FAILED', null],
  ['resets after the headers', tricks.resetsAtHeaders, LARGE, 'CONNECTION_FAILED', null],
  ['resets in a document', tricks.resetsInBody, LARGE, 'CONNECTION_FAILED', null],
  ['resets when it has everything', tricks.resetsAfterRequest, SMALL, 'CONNECTION_FAILED', null],
  ['resets in its headers', tricks.resetsInAnswerHeaders, SMALL, 'CONNECTION_FAILED', null],
  ['fails letter by letter', tricklesBody(500), SMALL, 'UNEXPECTED_STATUS', 500],
  ['fails and breaks off', breaksOffAnswer(502), SMALL, 'UNEXPECTED_STATUS', 502],
  ['fails at great length', answersMuch(500, 100 * MEBI, () => undefined), SMALL, 'UNEXPECTED_STATUS', 500],
  ['fails before it has read the document', answersUnread(413), LARGE, 'UNEXPECTED_STATUS', 413],
  ['says 200 before it has read the document', answersUnread(200), LARGE, 'ANSWERED_EARLY', 200],
];

describe('Hostile receivers (decisions 6)', () => {
  let engine: TestEngine;
  let healthy: Receiver;
  let hostile: HostileReceiver;

  beforeAll(async () => {
    [engine, healthy] = await Promise.all([
      TestEngine.start({
        network: { allow: ['127.0.0.0/8'], ca: trusted.ca + expired.ca, connectTimeout: SILENCE_MS, lookup },
      }),
      Receiver.start(),
    ]);
    setResponseTimeout(engine, SILENCE_MS);
  });
  beforeEach(async () => {
    hostile = await HostileReceiver.start();
  });
  afterEach(() => hostile.stop());
  afterAll(async () => {
    await engine.stop();
    await healthy.stop();
  });

  /** Acts as a DNS resolver. */
  function lookup(name: string): Promise<{ address: string; family: number }[]> {
    const fail = (code: string) => Promise.reject(Object.assign(new Error(`getaddrinfo ${code} ${name}`), { code }));
    if (name === 'unknown.example') return fail('ENOTFOUND');
    if (name === 'unanswered.example') return fail('EAI_AGAIN');
    if (name === 'broken.example') return fail('EAI_FAIL');
    if (name === 'hanging.example') return new Promise(() => undefined);
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  }

  /** Creates a document for an address, and one for another client's working endpoint; returns both after their first attempts. */
  async function tried(url: string, kilobytes = SMALL): Promise<TransactionRow> {
    const [{ transactions }, other] = await Promise.all([
      createDocuments(engine, url, 1, { document_size_kb: kilobytes }),
      createDocuments(engine, healthy.url(), 1),
    ]);
    await engine.waitForTransaction(other.transactions[0]!.uuid, 'the other client gets its document', isDelivered);
    return engine.waitForTransaction(transactions[0]!.uuid, 'it is tried', ({ attempts }) => attempts === 1);
  }

  /** The first of twelve attempts has failed, for this reason; the next one is due half a minute later. */
  async function expectFailed(
    transaction: TransactionRow,
    code: string,
    status: number | null,
    retryIn = secondsUntilRetry(engine, transaction),
  ): Promise<void> {
    expect(transaction).toMatchObject({ status: 'PENDING', attempts: 1, last_error: { code, status } });
    expect(retryIn).toBeGreaterThan(20);
    expect(retryIn).toBeLessThanOrEqual(33);
    const attempts = await listAttempts(engine, transaction.uuid);
    expect(attempts).toEqual([expect.objectContaining({ number: 1, status, error_code: code })]);
    if (status === null) expect(attempts[0]!.response_excerpt).toBeNull();
    else expect(attempts[0]!.response_excerpt!.length).toBeLessThanOrEqual(1024);
  }

  async function expectDelivered(transaction: TransactionRow, receiver: HostileReceiver): Promise<void> {
    const done = await engine.waitForTransaction(transaction.uuid, 'it is delivered', isDelivered);
    expect(done).toMatchObject({ attempts: 2, due_at: null, last_error: null });
    expect(receiver.served).toEqual([transaction.uuid]);
    expect(await listAttempts(engine, transaction.uuid)).toHaveLength(2);
  }

  describe('A receiver that', () => {
    const attempted = new Map<string, { receiver: HostileReceiver; first: TransactionRow; retryIn: number }>();

    // Several at the same time, because many of them take until the time limit.
    beforeAll(async () => {
      const waiting = [...FAILING];
      const tryNext = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const [name, trick, kilobytes] = next;
          const receiver = await HostileReceiver.start();
          receiver.next(trick);
          const first = await tried(receiver.url(), kilobytes);
          attempted.set(name, { receiver, first, retryIn: secondsUntilRetry(engine, first) });
        }
      };
      await Promise.all(Array.from({ length: 4 }, tryNext));
    });
    afterAll(async () => {
      for (const { receiver } of attempted.values()) await receiver.stop();
    });

    it.each(FAILING)('%s: the attempt fails, and its connection and slot are released', async (name, ...expected) => {
      const { receiver, first, retryIn } = attempted.get(name)!;
      const [, , code, status] = expected;
      await expectFailed(first, code, status, retryIn);
      receiver.readOn();
      await eventually(() => Promise.resolve(receiver.ended === 1), 'the connection is closed');
    });

    describe('half a minute later', () => {
      beforeAll(() => engine.advanceClock(35));

      it.each(FAILING)('%s: gets the document', (name) => {
        const { receiver, first } = attempted.get(name)!;
        return expectDelivered(first, receiver);
      });
    });
  });

  it.each<[string, HostileBehavior]>([
    ['goes on letter by letter', tricklesBody(200)],
    ['breaks off', breaksOffAnswer(200)],
  ])('treats a 200 whose response %s as delivered', async (_, trick) => {
    hostile.next(trick);
    expect(await tried(hostile.url())).toMatchObject({ status: 'DELIVERED', attempts: 1, due_at: null });
    await eventually(() => Promise.resolve(hostile.ended === 1), 'the connection is closed');
    await engine.advanceClock(3600);
    await waitForIdlePush(engine);
    expect(hostile.served).toEqual([]);
  });

  it('reads only the beginning of a response of 100 MB', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    hostile.next(answersMuch(200, 100 * MEBI, resolve));
    const transaction = await tried(hostile.url());
    expect(transaction.status).toBe('DELIVERED');
    expect((await listAttempts(engine, transaction.uuid))[0]!.response_excerpt).toBe('x'.repeat(1024));
    // The remaining sent bytes were in the buffers of the two sockets.
    expect(await promise).toBeLessThan(20 * MEBI);
  });

  it('frees the slot of each endpoint that trickles its response', async () => {
    hostile.from(tricklesBody(200));
    const { client } = await createDocuments(engine, hostile.url(), 20);
    await waitForAllDelivered(engine, client);
    await eventually(() => Promise.resolve(hostile.ended === 20), 'all connections are closed');
    expect(hostile.connections).toBe(20);
  });

  it('does not follow redirects', async () => {
    const elsewhere = await Receiver.start();
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        healthy.next(answer(status, { location: elsewhere.url() }));
        const { transactions } = await createDocuments(engine, healthy.url(), 1);
        const row = await engine.waitForTransaction(
          transactions[0]!.uuid,
          'it is tried',
          ({ attempts }) => attempts === 1,
        );
        expect(row.last_error).toMatchObject({ code: 'REDIRECT_REFUSED', status });
      }
      expect(elsewhere.connections).toBe(0);
    } finally {
      await elsewhere.stop();
    }
  });

  it('fails for a receiver whose backlog of connections is full', async () => {
    const full = await FullBacklog.start();
    try {
      await expectFailed(await tried(`http://127.0.0.1:${full.port}/`), 'TIMEOUT', null);
    } finally {
      await full.stop();
    }
  });

  it.each([
    ['no such name', 'unknown.example', 'NAME_NOT_FOUND'],
    ['no answer from the name server', 'unanswered.example', 'NAME_NOT_FOUND'],
    ['a broken answer from the name server', 'broken.example', 'NAME_NOT_FOUND'],
    ['a name server that hangs', 'hanging.example', 'TIMEOUT'],
  ])('resolves the host name again after %s', async (_, host, code) => {
    await expectFailed(await tried(`https://${host}:${hostile.port}/`), code, null);
    expect(hostile.connections).toBe(0);
  });

  describe('with TLS', () => {
    const over = async (certificate: typeof trusted, use: (receiver: HostileReceiver) => Promise<void>) => {
      const receiver = await HostileReceiver.start(certificate);
      try {
        await use(receiver);
      } finally {
        await receiver.stop();
      }
    };

    it('delivers to a receiver with a valid certificate', () =>
      over(trusted, async (receiver) => {
        const transaction = await tried(receiver.url('documents.example'));
        expect(transaction.status).toBe('DELIVERED');
        expect(receiver.served).toEqual([transaction.uuid]);
      }));

    it.each([
      ['that nobody has signed who is trusted', untrusted, 'documents.example'],
      ['of another name', trusted, 'other.example'],
      ['that has expired', expired, 'documents.example'],
    ])('sends nothing to a receiver with a certificate %s', (_, certificate, host) =>
      over(certificate, async (receiver) => {
        await expectFailed(await tried(receiver.url(host)), 'TLS_FAILED', null);
        expect(receiver.served).toEqual([]);
      }),
    );

    it('fails for a receiver that accepts the connection and never completes the handshake', async () => {
      hostile.from(tricks.neverReads);
      const url = hostile.url('documents.example').replace('http:', 'https:');
      await expectFailed(await tried(url), 'TIMEOUT', null);
    });

    it('detects a server without TLS', async () => {
      const url = hostile.url('documents.example').replace('http:', 'https:');
      await expectFailed(await tried(url), 'TLS_FAILED', null);
    });

    it('reads no more of a response than without TLS', () =>
      over(trusted, async (receiver) => {
        const { promise, resolve } = Promise.withResolvers<number>();
        receiver.next(answersMuch(200, 100 * MEBI, resolve));
        expect((await tried(receiver.url('documents.example'), LARGE)).status).toBe('DELIVERED');
        expect(await promise).toBeLessThan(20 * MEBI);
      }));
  });
});
