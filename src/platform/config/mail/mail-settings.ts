import { setting } from '../setting-definition';
import * as read from '../setting-parsers';

/** The settings of the section “mail”: receiving mails for the addresses of connections (decisions 8). */
export const MAIL_SETTINGS = {
  /** The domain of the addresses. Null: the integration `mail_inbox` is not available. */
  inboxDomain: setting({
    variable: 'INBOX_DOMAIN',
    section: 'mail',
    parse: read.mailDomain,
    default: null,
    defaultDescription: 'the integration `mail_inbox` is not available',
    description:
      'the domain of the addresses that connections with `mail_inbox` get; used for nothing else. All processes have the same one. DNS records and requirements: [operations.md](operations.md#receiving-mails)',
  }),
  /** Null: this process receives no mails. */
  smtpPort: setting({
    variable: 'SMTP_PORT',
    section: 'mail',
    parse: read.port,
    default: null,
    defaultDescription: 'no mails are received',
    description:
      'the port on which processes with `ROLE=api` or `all` receive mails by SMTP; the port 25 of the host that the MX record names leads to it',
  }),
  smtpTlsCertificate: setting({
    variable: 'SMTP_TLS_CERTIFICATE',
    section: 'mail',
    parse: read.text,
    default: null,
    description:
      'a file with the certificate for STARTTLS and its chain (PEM); a renewed file takes effect within a minute. Required in production with `SMTP_PORT`; without it, mails arrive unencrypted',
  }),
  smtpTlsKey: setting({
    variable: 'SMTP_TLS_KEY',
    section: 'mail',
    parse: read.text,
    default: null,
    description: 'a file with the private key of the certificate (PEM)',
  }),
  smtpHostname: setting({
    variable: 'SMTP_HOSTNAME',
    section: 'mail',
    parse: read.mailDomain,
    default: null,
    defaultDescription: '`INBOX_DOMAIN`',
    description: 'the name with which the service greets other mail servers: the host that the MX record names',
  }),
  mailLimitMib: setting({
    variable: 'MAIL_LIMIT_MIB',
    section: 'mail',
    parse: read.integer(1, 150),
    default: '35',
    description: 'the size of the largest mail that is accepted, in MiB (1–150); encoding adds a third to attachments',
  }),
  mailRatePerAddress: setting({
    variable: 'MAIL_RATE_PER_ADDRESS',
    section: 'mail',
    parse: read.integer(1, 1_000_000),
    default: '60',
    description:
      'mails per minute for one address, over all processes (at least 1; the same applies to the next setting). Further ones are deferred: their servers try again',
  }),
  mailRatePerSource: setting({
    variable: 'MAIL_RATE_PER_SOURCE',
    section: 'mail',
    parse: read.integer(1, 1_000_000),
    default: '120',
    description: 'mails per minute from one IP address (IPv6: one /64 network)',
  }),
};
