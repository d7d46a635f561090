export type Security = 'TLS' | 'STARTTLS' | 'NONE';

/** The server of a mailbox. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: Security;
}

/** The fields that name the server. */
export interface ServerInput {
  readonly host: string;
  readonly port?: number;
  readonly security?: string;
}

/** Other names of the same server, which identify the same account. */
const SAME_SERVER: Readonly<Record<string, string>> = {
  'imap.gmx.de': 'imap.gmx.net',
  'imap.gmx.com': 'imap.gmx.net',
  'imap.t-online.de': 'secureimap.t-online.de',
  'imap.ionos.com': 'imap.ionos.de',
  'imap.1und1.de': 'imap.ionos.de',
  'imap.posteo.de': 'posteo.de',
};

/** The server that the fields name. The default port depends on the security (RFC 8314: 993 for TLS; RFC 9051: 143). */
export function mailServer({ host, port, security }: ServerInput): MailServer {
  const chosen: Security = security === 'STARTTLS' || security === 'NONE' ? security : 'TLS';
  return { host: host.trim(), port: port ?? (chosen === 'TLS' ? 993 : 143), security: chosen };
}

/** The server at an address of the form `imaps://host:port`. */
export function mailServerAt(address: string): MailServer {
  const { hostname, port } = new URL(address);
  return mailServer({ host: hostname.replace(/^\[|\]$/g, ''), ...(port && { port: Number(port) }) });
}

/** The server that the user typed, if it proves its identity: null without TLS. */
export function typedMailServer(input: ServerInput): MailServer | null {
  const server = mailServer(input);
  return server.security === 'NONE' ? null : server;
}

/**
 * The account's stable id (decisions 4 `ACCOUNT_MISMATCH`): lower-case user@host, independent of how the server was named (preset,
 * typed host, capitals, trailing dot, another name of the same server).
 */
export function accountId(user: string, host: string): string {
  const name = host.trim().toLowerCase().replace(/\.$/, '');
  return `${user.trim().toLowerCase()}@${SAME_SERVER[name] ?? name}`;
}
