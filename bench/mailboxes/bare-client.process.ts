import { ImapFlow } from 'imapflow';
import { createSecureContext, TLSSocket } from 'node:tls';

// The minimum work for looking into a mailbox with imapflow, in a process without anything else.

/** The same concurrency as a worker of the service. */
const AT_ONCE = 10;
const CONTEXT = createSecureContext();

export interface BareMailbox {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

export interface BareWork {
  readonly mailboxes: readonly BareMailbox[];
  readonly secure: boolean;
  /** One TLS context for all connections, and sessions that are resumed if the server agrees. */
  readonly resumes?: boolean;
  /** STATUS of the inbox after the login. */
  readonly asksStatus?: boolean;
  /** Leaves the connections open. */
  readonly keepsOpen?: boolean;
}

export interface BareResult {
  readonly ms: number;
  /** The share of connections whose TLS session was resumed. */
  readonly resumed: number;
}

const sessions = new Map<string, Buffer>();
const open: ImapFlow[] = [];

/** An internal method of imapflow, called with each socket when it is connected or secured. */
type Configuring = ImapFlow & { configureSocket(socket: unknown): void };

async function visit({ host, port, user, password }: BareMailbox, work: BareWork): Promise<boolean> {
  const session = sessions.get(host);
  const client = new ImapFlow({
    ...{ host, port, secure: work.secure, auth: { user, pass: password } },
    ...(work.secure ? {} : { doSTARTTLS: false }),
    ...(work.resumes && { tls: { secureContext: CONTEXT, ...(session && { session }) } }),
    ...{ logger: false, disableAutoIdle: true, disableAutoEnable: true, disableCompression: true },
  }) as Configuring;
  let resumed = false;
  const configure = client.configureSocket.bind(client);
  client.configureSocket = (socket) => {
    configure(socket);
    if (!work.resumes || !(socket instanceof TLSSocket)) return;
    resumed = socket.isSessionReused();
    socket.on('session', (ticket: Buffer) => sessions.set(host, ticket));
  };
  client.on('error', () => undefined); // the command fails
  await client.connect();
  if (work.asksStatus) await client.status('INBOX', { uidNext: true, uidValidity: true, highestModseq: true });
  if (work.keepsOpen) open.push(client);
  else await client.logout();
  return resumed;
}

async function run(work: BareWork): Promise<BareResult> {
  const left = [...work.mailboxes];
  let resumed = 0;
  const worker = async (): Promise<void> => {
    for (let mailbox = left.pop(); mailbox; mailbox = left.pop()) if (await visit(mailbox, work)) resumed++;
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { ms: performance.now() - began, resumed: resumed / work.mailboxes.length };
}

process.on('message', (work: BareWork) => void run(work).then((result) => process.send!(result)));
process.send!('ready');
