import { FakeStripe } from '../../test/fakes/stripe/fake-stripe';
import { contentOf } from '../fetch-speed/source';

/** The invoices of the account. */
export interface Invoices {
  readonly documents: number;
  readonly bytes: number;
}

export interface StripeAccess {
  readonly url: string;
  readonly key: string;
}

const HOUR_SECONDS = 3_600;

// The test suite's Stripe server as a separate process: fills an account, then sends its address and a key.

async function serve({ documents, bytes }: Invoices): Promise<void> {
  const server = await FakeStripe.start();
  const account = server.account();
  const first = Date.UTC(2026, 0, 1) / 1000;
  for (let number = 0; number < documents; number++)
    account.invoice(first + number * HOUR_SECONDS, { content: contentOf(number, bytes) });
  process.send!({ url: server.url, key: account.key() } satisfies StripeAccess);
}

process.once('message', (invoices: Invoices) => void serve(invoices));
