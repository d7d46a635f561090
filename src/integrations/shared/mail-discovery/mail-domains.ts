import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../../platform/concurrency/cancellation';
import { DnsRecords, type ServiceAddress } from '../../../platform/network/addresses/dns-records';
import type { Network } from '../../../platform/network/network';
import { ProviderRateLimits } from '../../core/provider-rate-limits';
import { mailHost, type NamedMailServer, readAutoconfig } from './autoconfig';
import { fetchDocument } from './fetch-document';
import { greetsWithCertificate } from './greets-with-certificate';

/** What a domain says about its mailboxes. */
export type MailDomain =
  | { readonly source: 'MX'; readonly host: string }
  | { readonly source: 'AUTOCONFIG' | 'SRV' | 'GUESS'; readonly server: NamedMailServer }
  | { readonly source: 'NONE' };

const NONE: MailDomain = { source: 'NONE' };
const REMEMBERED_DOMAINS = 1_000;
const FOUND_MS = 3_600_000;
/** Shorter, because the domain may be about to get its records. */
const NOT_FOUND_MS = 300_000;
/** The time limit of a document of a domain, and of a connection to a server that is guessed. */
const DOCUMENT_MS = 4_000;
/** The mailbox that every domain has (RFC 5321 4.5.1): some servers answer only requests for one, and need not know the user's. */
const ANY_MAILBOX = 'postmaster';
/** RFC 8314: IMAP with TLS. */
const IMAPS_PORT = 993;
/** The requests and connections to one host, over all instances. */
const AUTOCONFIG = {
  id: 'autoconfig',
  rateLimits: { concurrency: 2, requestsPerSecond: 5, requestsPerSecondPerHost: 5 },
};

/** Asks mail domains which servers hold their mailboxes (decisions 5). Only the domain is sent, to its own name servers. */
@Injectable()
export class MailDomains {
  readonly documentMs: number = DOCUMENT_MS;
  private readonly logger = new Logger(MailDomains.name);
  private readonly remembered = new LRUCache<string, MailDomain, (host: string) => boolean>({
    max: REMEMBERED_DOMAINS,
    ttl: NOT_FOUND_MS,
    // Also joins requests for a domain that is being asked.
    fetchMethod: async (domain, _previous, { options, context: isKnownHost }) => {
      const found = await this.ask(domain, isKnownHost);
      options.ttl = found.source === 'NONE' ? NOT_FOUND_MS : FOUND_MS;
      return found;
    },
  });

  constructor(
    private readonly dns: DnsRecords,
    private readonly rateLimits: ProviderRateLimits,
  ) {}

  /**
   * In this order: the host that receives the mail of the domain, when `isKnownHost` knows its provider; the server that an
   * autoconfig document names; the one that service records name (RFC 6186); the one with the usual name, if it answers with a
   * valid certificate. Takes at most six seconds.
   */
  async find(domain: string, isKnownHost: (host: string) => boolean): Promise<MailDomain> {
    return (await this.remembered.fetch(domain, { context: isKnownHost })) ?? NONE;
  }

  private async ask(domain: string, isKnownHost: (host: string) => boolean): Promise<MailDomain> {
    const [exchange] = await this.dns.mailExchanges(domain);
    if (exchange !== undefined && isKnownHost(exchange)) return { source: 'MX', host: exchange };
    const query = new URLSearchParams({ emailaddress: `${ANY_MAILBOX}@${domain}` }).toString();
    // All at once; none of them rejects.
    const below = this.fromDocument(`https://autoconfig.${domain}/mail/config-v1.1.xml?${query}`, domain);
    const wellKnown = this.fromDocument(
      `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml?${query}`,
      domain,
    );
    const service = this.fromServiceRecords(domain);
    const usual = this.fromUsualName(domain);
    const document = (await below) ?? (await wellKnown);
    if (document) return { source: 'AUTOCONFIG', server: document };
    const named = await service;
    if (named) return { source: 'SRV', server: named };
    const guessed = await usual;
    return guessed ? { source: 'GUESS', server: guessed } : NONE;
  }

  /** Undefined when there is no such document, when it cannot be used, and when it does not arrive in time. */
  private fromDocument(url: string, domain: string): Promise<NamedMailServer | undefined> {
    return this.attempt('An autoconfig document', async (network, signal) => {
      const bytes = await fetchDocument(network, new URL(url), signal);
      return bytes && readAutoconfig(bytes, domain);
    });
  }

  private async fromServiceRecords(domain: string): Promise<NamedMailServer | undefined> {
    const [encrypted, upgraded] = await Promise.all([
      this.dns.services(`_imaps._tcp.${domain}`),
      this.dns.services(`_imap._tcp.${domain}`),
    ]);
    return namedServer(encrypted, 'TLS') ?? namedServer(upgraded, 'STARTTLS');
  }

  /** The certificate proves that the server belongs to the domain: without it, the name would be a mere guess. */
  private fromUsualName(domain: string): Promise<NamedMailServer | undefined> {
    const host = mailHost(`imap.${domain}`);
    return this.attempt('A server with the usual name', async (network, signal) =>
      host && (await greetsWithCertificate(network, host, IMAPS_PORT, signal))
        ? { host, port: IMAPS_PORT, security: 'TLS', userName: 'ADDRESS' }
        : undefined,
    );
  }

  /** Undefined also when it fails or takes too long. */
  private async attempt(
    what: string,
    find: (network: Network, signal: AbortSignal) => Promise<NamedMailServer | undefined>,
  ): Promise<NamedMailServer | undefined> {
    const timedOut = () => new Error(`${what} did not arrive in time.`);
    try {
      return await withTimeout(this.documentMs, timedOut, (signal) =>
        find(this.rateLimits.network(AUTOCONFIG, null, 'live', signal), signal),
      );
    } catch (error) {
      this.logger.debug({ what, error: error instanceof Error ? error.name : 'unknown' }, 'Mail discovery failed');
      return undefined;
    }
  }
}

/** The most preferred server of service records. */
function namedServer(
  [service]: readonly ServiceAddress[],
  security: NamedMailServer['security'],
): NamedMailServer | undefined {
  const host = service && mailHost(service.host);
  return host && service.port > 0 ? { host, port: service.port, security, userName: 'ADDRESS' } : undefined;
}
