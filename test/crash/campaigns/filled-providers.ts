import type { Settings } from '../../../src/platform/config/settings';
import { connect, connectWithOAuth } from '../../harness/engine/test-engine';
import { DECLARED_FAKES, startFake } from '../../fakes/declared-fakes';
import { FakeBox } from '../../fakes/box/fake-box';
import { FakeDropbox } from '../../fakes/dropbox/fake-dropbox';
import { FakeGmail } from '../../fakes/gmail/fake-gmail';
import { FakeGoogleDrive } from '../../fakes/google-drive/fake-google-drive';
import { DriveState } from '../../fakes/microsoft-graph/drive-state';
import { FakeMicrosoftGraph } from '../../fakes/microsoft-graph/fake-microsoft-graph';
import { FakeSevdesk } from '../../fakes/sevdesk/fake-sevdesk';
import { FakeStripe } from '../../fakes/stripe/fake-stripe';
import { invoiceMail } from '../../interop/imap/invoice-mails';
import { sha256 } from '../../interop/imap/mailbox-session';
import type { FilledSource } from './killed-workers';

/** The page size of a provider's lists, so that a fetch needs several pages. */
const PAGE = 10;
const DAY = 86_400;
/** The first documents, in seconds. */
const START = Date.UTC(2026, 0, 1) / 1000;

/** A fake provider in which every connection has its own account, because rate limits apply per account. */
export interface FilledProvider {
  readonly source: FilledSource;
  /** Stops the fake; throws when a request did not match the provider's API description. */
  stop(): Promise<void>;
}

interface Server {
  readonly violations: readonly string[];
  stop(): Promise<void>;
}

export type Provider = (contents: readonly Buffer[]) => Promise<FilledProvider>;

function provider(
  server: Server,
  contents: readonly Buffer[],
  providers: Settings['providers'],
  connectTo: FilledSource['connect'],
): FilledProvider {
  return {
    source: { hashes: contents.map((content) => sha256(content)).sort(), providers, connect: connectTo },
    async stop() {
      await server.stop();
      expect(server.violations).toEqual([]);
    },
  };
}

/** A provider with OAuth: `fill` adds the documents to the account that is logged in. */
function byConsent(
  server: Server & { readonly settings: Settings['providers'] },
  integration: string,
  contents: readonly Buffer[],
  login: { account: string },
  fill: () => Record<string, unknown> | void,
): FilledProvider {
  let accounts = 0;
  // A fake of Microsoft has settings for several integrations; each of them has a fake of its own here.
  const settings = { [integration]: server.settings[integration]! };
  return provider(server, contents, settings, (engine, client) => {
    login.account = `user${++accounts}@example.com`;
    return connectWithOAuth(engine, client, integration, fill() ?? {});
  });
}

/** Distributes files over several folders. */
const pathOf = (n: number): string => `${n % 7}/${n}.pdf`;

const box: Provider = async (contents) => {
  const server = await FakeBox.start();
  server.endpoints.page = PAGE;
  return byConsent(server, 'box', contents, server.authorization, () =>
    contents.forEach((content, n) => server.files().put(pathOf(n), content)),
  );
};

const dropbox: Provider = async (contents) => {
  const server = await FakeDropbox.start();
  server.endpoints.page = PAGE;
  return byConsent(server, 'dropbox', contents, server.authorization, () =>
    contents.forEach((content, n) => server.files().put(pathOf(n), content)),
  );
};

const gmail: Provider = async (contents) => {
  const server = await FakeGmail.start();
  server.endpoints.page = PAGE;
  const mails = contents.map((content, n) =>
    invoiceMail([`${n}.pdf`, content])
      .messageId(`<${n}@example.com>`)
      .build(),
  );
  return byConsent(server, 'gmail', contents, server.authorization, () =>
    mails.forEach((mail, n) => server.mailbox().deliver(mail, ['INBOX'], new Date(Date.UTC(2026, 0, 1, n)))),
  );
};

const googleDrive: Provider = async (contents) => {
  const server = await FakeGoogleDrive.start();
  server.endpoints.page = PAGE;
  return byConsent(server, 'google_drive', contents, server.authorization, () =>
    contents.forEach((content, n) => server.drive().put(pathOf(n), content)),
  );
};

/** Half of the files are in another drive, as Graph represents shared folders and SharePoint libraries. */
const microsoftDrive: Provider = async (contents) => {
  const server = await FakeMicrosoftGraph.start();
  server.page = PAGE;
  return byConsent(server, 'microsoft_drive', contents, server.entra, () => {
    const { own, others } = server.files();
    const theirs = new DriveState();
    others.push(theirs);
    contents.forEach((content, n) => (n % 2 ? own : theirs).put(`Belege/${pathOf(n)}`, content));
    return { folders: [own, theirs].map((drive) => `${drive.id}/${drive.folder('Belege').id}`) };
  });
};

const outlook: Provider = async (contents) => {
  const server = await FakeMicrosoftGraph.start();
  server.page = PAGE;
  return byConsent(server, 'outlook', contents, server.entra, () =>
    contents.forEach((content, n) => void server.mailbox().deliver([{ name: `${n}.pdf`, content }])),
  );
};

const sevdesk: Provider = async (contents) => {
  const server = await FakeSevdesk.start();
  server.endpoints.page = PAGE;
  return provider(server, contents, { sevdesk: { apiBaseUrl: server.url } }, (_, client) => {
    const books = server.account();
    contents.forEach((content, n) => (n % 3 ? books.invoice({ content }) : books.creditNote({ content })));
    return connect(client, 'sevdesk', { api_token: books.token() });
  });
};

const stripe: Provider = async (contents) => {
  const server = await FakeStripe.start();
  return provider(server, contents, { stripe: { apiBaseUrl: server.url } }, (_, client) => {
    const shop = server.account();
    contents.forEach((content, n) => shop.invoice(START + n * DAY, { content }));
    return connect(client, 'stripe', { api_key: shop.key() });
  });
};

/** A provider with a declared fake. */
const declared =
  (id: string): Provider =>
  async (contents) => {
    const server = await startFake(id);
    server.largestPage = PAGE;
    const { declaration } = server;
    const fill = () => {
      const account = server.account();
      const dayOf = (n: number) => new Date((START + n * DAY) * 1000).toISOString().slice(0, 10);
      contents.forEach((content, n) => account.add(dayOf(n), {}, content));
      declaration.others?.(account);
      return account;
    };
    if (server.authorization)
      return byConsent(server, id, contents, server.authorization, () => {
        const account = fill();
        return { ...declaration.step2?.(account) };
      });
    return provider(server, contents, server.settings, (_, client) => {
      const account = fill();
      return connect(
        client,
        id,
        { ...declaration.key!.fields(account.key(), account) },
        { ...declaration.step2?.(account) },
      );
    });
  };

const inCode: Readonly<Record<string, Provider>> = {
  box,
  dropbox,
  gmail,
  google_drive: googleDrive,
  microsoft_drive: microsoftDrive,
  outlook,
};

/** The ids of those whose integration is code, not a file in `src/integrations/providers`. */
export const IN_CODE: ReadonlySet<string> = new Set(Object.keys(inCode));

/** By the integration's id. */
export const FILLED_PROVIDERS: Readonly<Record<string, Provider>> = {
  ...inCode,
  sevdesk,
  stripe,
  ...Object.fromEntries(Object.keys(DECLARED_FAKES).map((id) => [id, declared(id)])),
};
