import { join } from 'node:path';
import { INTEGRATIONS } from '../../src/integrations/integration-registry';
import type { Integration } from '../../src/integrations/core/integration';
import { openSession } from '../../src/integrations/core/session/open-session';
import type { DocumentRef } from '../../src/integrations/core/source-document';
import { GuardedNetwork } from '../../src/platform/network/guarded-network';
import { Child } from '../harness/processes/child';
import { median, table } from '../harness/report';
import type { Invoices, StripeAccess } from './stripe-server.process';
import { writtenStripe } from './written-stripe';

const DOCUMENTS = 1_000;
const BYTES = 150_000;
const ROUNDS = 7;
/** Rounds after which the code of both is compiled and the connections are open. */
const WARM_UP = 2;

interface ConnectorMeasurement {
  readonly ms: number;
  /** Processor milliseconds of this process. */
  readonly cpu: number;
}

/** Compares a provider's file with a connector in code for the same provider. */
export async function declarative(): Promise<string> {
  await using server = Child.start(join(__dirname, 'stripe-server.process.js'), {});
  const access = await server.ask<StripeAccess>({ documents: DOCUMENTS, bytes: BYTES } satisfies Invoices);
  const network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
  const contestants: Readonly<Record<string, Integration>> = {
    declared: INTEGRATIONS.find(({ id }) => id === 'stripe')!,
    written: writtenStripe,
  };
  const rounds: Record<string, ConnectorMeasurement>[] = [];
  try {
    for (let number = -WARM_UP; number < ROUNDS; number++) {
      const order = Object.keys(contestants);
      const round: Record<string, ConnectorMeasurement> = {};
      for (const name of number % 2 ? order : order.toReversed())
        round[name] = await fetchAll(contestants[name]!, access, network);
      if (number >= 0) rounds.push(round);
      process.stdout.write(`Round ${number + 1} of ${ROUNDS}: ${JSON.stringify(round)}\n`);
    }
  } finally {
    await network.close();
  }
  return report(rounds);
}

async function fetchAll(
  integration: Integration,
  { url, key }: StripeAccess,
  network: GuardedNetwork,
): Promise<ConnectorMeasurement> {
  const session = openSession({
    fields: { api_key: key, time_zone: 'UTC' },
    step2: { kinds: ['invoice'] },
    network,
    signal: new AbortController().signal,
    now: () => new Date(),
    apiBaseUrl: url,
  });
  const [before, started] = [process.cpuUsage(), performance.now()];
  let documents = 0;
  for await (const page of integration.list(session, null, null)) {
    await downloadAll(integration, session, page.documents);
    documents += page.documents.length;
  }
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  await session.close();
  if (documents !== DOCUMENTS) throw new Error(`${documents} documents were listed.`);
  return { ms, cpu: (user + system) / 1000 };
}

/** Reads every document to its end, as many at the same time as the provider allows. */
async function downloadAll(
  integration: Integration,
  session: ReturnType<typeof openSession>,
  documents: readonly DocumentRef[],
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < documents.length) {
      const { stream } = await integration.download(session, documents[next++]!);
      let size = 0;
      for await (const part of stream) size += (part as Buffer).length;
      if (size !== BYTES) throw new Error(`A document has ${size} bytes.`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

function report(rounds: readonly Record<string, ConnectorMeasurement>[]): string {
  const row = (name: string, value: (one: ConnectorMeasurement) => number) => [
    name,
    median(rounds.map((round) => value(round['declared']!))).toFixed(0),
    median(rounds.map((round) => value(round['written']!))).toFixed(0),
    median(rounds.map((round) => value(round['declared']!) / value(round['written']!))).toFixed(2),
  ];
  return [
    table(
      ['milliseconds', 'provider’s file', 'in code', '× in code'],
      [row('wall time', ({ ms }) => ms), row('processor time', ({ cpu }) => cpu)],
    ),
    NOTES,
  ].join('\n\n');
}

const NOTES = [
  `${DOCUMENTS.toLocaleString('en')} invoices of ${BYTES / 1000} KB, listed and read to their end with \`providers/stripe.yaml\` and with the least connector in code that`,
  `makes the same requests with the same HTTP clients (goal: at most 1.10). Medians of ${ROUNDS} rounds in which the two alternate and change`,
  'places in one process; the ratio is the median of the rounds’ ratios. Nothing is encrypted or stored. The provider is the test',
  'suite’s Stripe server in another process.',
].join('\n');
