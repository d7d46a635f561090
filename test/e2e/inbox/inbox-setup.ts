import { createTransport } from 'nodemailer';
import { SmtpListener } from '../../../src/inbox/smtp/smtp-listener';
import type { TestApp, TestAppOptions } from '../../harness/app/start-app';
import type { TestClient } from '../../harness/app/test-client';
import { connect, TestEngine } from '../../harness/engine/test-engine';

export const INBOX_DOMAIN = 'inbox.docfetch.test';
export const INBOX_SETTINGS = { smtpPort: 0, inboxDomain: INBOX_DOMAIN, mailRatePerSource: 1_000_000 };

/** The reply to a mail: 250, or the code with which the first recipient or the content was refused. */
export interface SmtpAnswer {
  readonly code: number;
  readonly text: string;
  readonly accepted: readonly string[];
}

export interface SentMail {
  readonly to: string | readonly string[];
  readonly raw: Buffer;
  /** The envelope sender. */
  readonly from?: string;
}

/** A service that receives mails. */
export const startInbox = (options: TestAppOptions = {}): Promise<TestEngine> =>
  TestEngine.start({ ...options, settings: { ...INBOX_SETTINGS, ...options.settings } });

export const smtpPort = (app: TestApp): number => app.app.get(SmtpListener, { strict: false }).port!;

/** Creates a connection with an address. */
export async function connectInbox(
  client: TestClient,
  fields: Record<string, unknown> = {},
): Promise<{ uuid: string; address: string }> {
  const uuid = await connect(client, 'mail_inbox', fields);
  return { uuid, address: await addressOf(client, uuid) };
}

export async function addressOf(client: TestClient, uuid: string): Promise<string> {
  const { body } = await client.request('get', `/v1/connections/${uuid}`).expect(200);
  return (body as { data: { inbox_address: string } }).data.inbox_address;
}

/** Sends a mail like the server of its sender, in a session of its own. */
export async function send(
  port: number,
  { to, raw, from = 'billing@supplier.example' }: SentMail,
): Promise<SmtpAnswer> {
  const transport = createTransport({
    ...{ host: '127.0.0.1', port, secure: false, name: 'mx.supplier.example' },
    tls: { rejectUnauthorized: false },
  });
  try {
    const { response, accepted } = await transport.sendMail({ envelope: { from, to: [to].flat() }, raw });
    return { code: Number(response.slice(0, 3)), text: response, accepted: accepted.map(String) };
  } catch (error) {
    const { responseCode, response, message } = error as { responseCode?: number; response?: string; message: string };
    if (responseCode === undefined) throw error;
    return { code: responseCode, text: response ?? message, accepted: [] };
  } finally {
    transport.close();
  }
}
