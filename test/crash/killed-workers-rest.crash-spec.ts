import { connect, connectByConsent } from '../e2e/fetches/engine';
import { FakeGmail } from '../fakes/gmail/fake-gmail';
import { FakeGoogleDrive } from '../fakes/google-drive/fake-google-drive';
import { FakeStripe } from '../fakes/stripe/fake-stripe';
import { invoiceMail, pdfBytes } from '../interop/imap/invoice-mails';
import { sha256 } from '../interop/imap/mailbox-session';
import { Campaign, type FullSource } from './killed-workers';
import { SeededRandom, seedOfRun } from './seeded-random';

/** Of the workers of each provider; a twentieth of what the mailbox on a real server has to bear. */
const KILLS = Math.ceil(Number(process.env.CRASH_KILLS ?? 200) / 20);
const DOCUMENTS = 120;

interface Fake {
  readonly source: FullSource;
  stop(): Promise<void>;
}

const contents = Array.from({ length: DOCUMENTS }, (_, n) => pdfBytes(`rest ${n}`, n % 40 === 1 ? 400_000 : 4_000));
const hashes = contents.map((content) => sha256(content)).sort();

/** Every connection has an account of its own, for providers are asked by account at a measured pace. */
async function gmail(): Promise<Fake> {
  const server = await FakeGmail.start();
  server.endpoints.page = 25;
  const mails = contents.map((content, n) =>
    invoiceMail([`${n}.pdf`, content])
      .messageId(`<${n}@example.com>`)
      .build(),
  );
  let accounts = 0;
  return {
    source: {
      hashes,
      providers: server.settings,
      connect(engine, client) {
        server.authorization.account = `user${++accounts}@example.com`;
        mails.forEach((mail, n) => server.mailbox().deliver(mail, ['INBOX'], new Date(Date.UTC(2026, 0, 1, n))));
        return connectByConsent(engine, client, 'gmail');
      },
    },
    stop: () => server.stop(),
  };
}

async function googleDrive(): Promise<Fake> {
  const server = await FakeGoogleDrive.start();
  server.endpoints.page = 25;
  let accounts = 0;
  return {
    source: {
      hashes,
      providers: server.settings,
      connect(engine, client) {
        server.authorization.account = `user${++accounts}@example.com`;
        contents.forEach((content, n) => server.drive().put(`${n % 7}/${n}.pdf`, content));
        return connectByConsent(engine, client, 'google_drive');
      },
    },
    stop: () => server.stop(),
  };
}

async function stripe(): Promise<Fake> {
  const server = await FakeStripe.start();
  return {
    source: {
      hashes,
      providers: { stripe: { apiBaseUrl: server.url } },
      connect(_, client) {
        const shop = server.account();
        contents.forEach((content, n) => shop.invoice(1_767_225_600 + n * 3_600, { content }));
        return connect(client, 'stripe', { api_key: shop.key() });
      },
    },
    stop: () => server.stop(),
  };
}

describe(`Workers that are killed (kill -9) ${KILLS} times while they fetch ${DOCUMENTS} documents each`, () => {
  const seed = seedOfRun();

  it.each([
    ['Gmail', gmail],
    ['Google Drive', googleDrive],
    ['Stripe', stripe],
  ] as const)('record every document of %s exactly once', async (_, provider) => {
    const fake = await provider();
    const campaign = await Campaign.begin(fake.source, new SeededRandom(seed + 3), false);
    try {
      const report = await campaign.run(KILLS);
      process.stdout.write(`${JSON.stringify(report)}\n`);
      expect(report.inTheMiddle).toBeGreaterThan(0);
    } finally {
      await campaign.end();
      await fake.stop();
    }
  });
});
