import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import { Settings } from '../../platform/config/settings';
import { everyProcess, Recurring } from '../../platform/jobs/recurring-work';
import type { SpanOptions } from '../../platform/tracing/tracer';
import { Tracing } from '../../platform/tracing/tracing';
import { sourceOf } from '../reception/mail-limits';
import { MailTransactions } from './mail-transactions';
import { TOO_MANY_CONNECTIONS } from './smtp-reply';

const MAX_SESSIONS = 200;
const MAX_SESSIONS_PER_SOURCE = 20;
const IDLE_MS = 60_000;
/** How long a mail that is arriving may delay the end of the process. */
const DRAIN_MS = 30_000;

const BEGINS_TRACE = (): SpanOptions => ({ kind: 'SERVER', parent: null });

type Answer = (error?: Error | null) => void;

/** Receives mails by SMTP in the processes that answer requests, if `SMTP_PORT` is set. */
@Injectable()
export class SmtpListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SmtpListener.name);
  private readonly sessionsOf = new Map<string, number>();
  private readonly receiving = new Set<string>();
  private server: SMTPServer | undefined;
  private isClosing = false;
  private certificate = '';

  constructor(
    private readonly settings: Settings,
    private readonly transactions: MailTransactions,
    private readonly tracing: Tracing,
  ) {}

  /** The port on which it listens; null when it does not. */
  get port(): number | null {
    return (this.server?.server.address() as AddressInfo | null | undefined)?.port ?? null;
  }

  /** @throws when the port is in use, or the certificate cannot be used */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.settings.receivesMail) return;
    const certificate = await this.readCertificate();
    this.certificate = JSON.stringify(certificate);
    const server = await this.createServer(certificate);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.settings.smtpPort!, () => {
        server.off('error', reject);
        resolve();
      });
    });
    server.on('error', (error) => this.logger.debug({ error: error.message }, 'An SMTP session failed'));
    this.server = server;
  }

  /** Accepts no further mail; those that are arriving are received to their end. Before the database closes. */
  async beforeApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(resolve));
    this.isClosing = true;
    for (const { id } of server.connections) if (!this.receiving.has(id)) this.end(id);
    await closed;
  }

  /** Ends a session that could send another mail. */
  private end(session: string): void {
    const connection = [...(this.server?.connections ?? [])].find(({ id }) => id === session);
    connection?.send(421, '4.3.2 The server is shutting down');
    connection?.close();
  }

  /** Uses a renewed certificate for new sessions. */
  @Recurring({ everyMs: 60_000, failure: 'The certificate for SMTP could not be read', runsIn: everyProcess })
  async reloadCertificate(): Promise<void> {
    if (!this.server || this.settings.smtpTlsCertificate === null) return;
    const certificate = await this.readCertificate();
    const text = JSON.stringify(certificate);
    if (text === this.certificate) return;
    this.server.updateSecureContext(certificate);
    this.certificate = text;
    this.logger.log('The certificate for SMTP was renewed');
  }

  private async createServer(certificate: { cert?: string; key?: string }): Promise<SMTPServer> {
    const { SMTPServer } = await import('smtp-server');
    const { smtpHostname, inboxDomain, mailLimitMib } = this.settings;
    return new SMTPServer({
      ...certificate,
      name: smtpHostname ?? inboxDomain!,
      banner: 'Docfetch',
      size: mailLimitMib * 1024 * 1024,
      // Nobody logs in: mails come from the servers of their senders.
      disabledCommands: ['AUTH', ...(certificate.cert === undefined ? ['STARTTLS'] : [])],
      hideSTARTTLS: certificate.cert === undefined,
      authOptional: true,
      // The texts of the replies contain them.
      hideENHANCEDSTATUSCODES: true,
      hideDSN: true,
      hideREQUIRETLS: true,
      disableReverseLookup: true,
      maxClients: MAX_SESSIONS,
      socketTimeout: IDLE_MS,
      closeTimeout: DRAIN_MS,
      logger: false,
      onConnect: (session, answer) => this.connect(session, answer),
      onClose: (session) => this.disconnect(session),
      onMailFrom: (_address, session, answer) => void respond(this.transactions.begin(session), answer),
      onRcptTo: ({ address }, session, answer) =>
        void respond(this.transactions.addRecipient(address, session), answer),
      onData: (stream, session, answer) => {
        this.receiving.add(session.id);
        const receive = () => this.transactions.receive(stream, session);
        void respond(this.tracing.run('mail', BEGINS_TRACE, receive), answer).then(() => {
          this.receiving.delete(session.id);
          if (this.isClosing) this.end(session.id);
        });
      },
    });
  }

  private connect(session: SMTPServerSession, answer: Answer): void {
    const source = sourceOf(session.remoteAddress);
    const open = (this.sessionsOf.get(source) ?? 0) + 1;
    this.sessionsOf.set(source, open);
    answer(open > MAX_SESSIONS_PER_SOURCE ? TOO_MANY_CONNECTIONS() : null);
  }

  private disconnect({ remoteAddress }: SMTPServerSession): void {
    const source = sourceOf(remoteAddress);
    const open = (this.sessionsOf.get(source) ?? 1) - 1;
    if (open > 0) this.sessionsOf.set(source, open);
    else this.sessionsOf.delete(source);
  }

  private async readCertificate(): Promise<{ cert?: string; key?: string }> {
    const { smtpTlsCertificate, smtpTlsKey } = this.settings;
    if (smtpTlsCertificate === null || smtpTlsKey === null) return {};
    const [cert, key] = await Promise.all([
      readSetting('SMTP_TLS_CERTIFICATE', smtpTlsCertificate),
      readSetting('SMTP_TLS_KEY', smtpTlsKey),
    ]);
    return { cert, key };
  }
}

/** @throws Error that names the setting */
async function readSetting(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

async function respond(work: Promise<void>, answer: Answer): Promise<void> {
  try {
    await work;
    answer();
  } catch (error) {
    answer(error as Error);
  }
}
