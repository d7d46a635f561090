import type { FieldOption } from '../../core/field';

export type Security = 'TLS' | 'STARTTLS' | 'NONE';

/** The server of a mailbox. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: Security;
}

interface Provider {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  /** Other host names of the same server, which identify the same account. */
  readonly aliases?: readonly string[];
}

/** All of them use implicit TLS on port 993 (RFC 8314). */
export const PROVIDERS: readonly Provider[] = [
  { id: 'gmx', name: 'GMX', host: 'imap.gmx.net', aliases: ['imap.gmx.de', 'imap.gmx.com'] },
  { id: 'web_de', name: 'WEB.DE', host: 'imap.web.de' },
  { id: 't_online', name: 'T-Online', host: 'secureimap.t-online.de', aliases: ['imap.t-online.de'] },
  { id: 'ionos', name: 'IONOS', host: 'imap.ionos.de', aliases: ['imap.ionos.com', 'imap.1und1.de'] },
  { id: 'strato', name: 'Strato', host: 'imap.strato.de' },
  { id: 'mailbox_org', name: 'mailbox.org', host: 'imap.mailbox.org' },
  { id: 'posteo', name: 'Posteo', host: 'posteo.de', aliases: ['imap.posteo.de'] },
  { id: 'icloud', name: 'iCloud', host: 'imap.mail.me.com' },
  { id: 'yahoo', name: 'Yahoo', host: 'imap.mail.yahoo.com' },
];

export const OTHER_PROVIDER = 'other';

export const PROVIDER_OPTIONS: readonly FieldOption[] = [
  ...PROVIDERS.map(({ id, name }) => ({ value: id, label: name })),
  { value: OTHER_PROVIDER, label: { en: 'Other provider', de: 'Anderer Anbieter' } },
];

/** The fields that name the server. */
export interface ServerInput {
  readonly provider: string;
  readonly host?: string;
  readonly port?: number;
  readonly security?: string;
}

/**
 * The server of a preset, or the typed one. The default port depends on the security (RFC 8314: 993 for TLS; RFC 9051: 143). Throws
 * when neither preset nor host is given.
 */
export function mailServer({ provider, host, port, security }: ServerInput): MailServer {
  const preset = PROVIDERS.find(({ id }) => id === provider);
  if (preset) return { host: preset.host, port: 993, security: 'TLS' };
  if (!host) throw new Error(`No host for the mail provider ${provider}.`);
  const chosen: Security = security === 'STARTTLS' || security === 'NONE' ? security : 'TLS';
  return { host: host.trim(), port: port ?? (chosen === 'TLS' ? 993 : 143), security: chosen };
}

/** The server that the user typed; null for a preset, and without TLS. */
export function typedMailServer(input: ServerInput): MailServer | null {
  if (input.provider !== OTHER_PROVIDER || !input.host) return null;
  const server = mailServer(input);
  return server.security === 'NONE' ? null : server;
}

/**
 * The account's stable id (decisions 4 `ACCOUNT_MISMATCH`): lower-case user@host, independent of how the server was named (preset,
 * typed host, capitals, trailing dot, alias of a provider).
 */
export function accountId(user: string, host: string): string {
  const name = host.trim().toLowerCase().replace(/\.$/, '');
  const preset = PROVIDERS.find((provider) => provider.host === name || provider.aliases?.includes(name));
  return `${user.trim().toLowerCase()}@${preset?.host ?? name}`;
}
