import { Resolver } from 'node:dns/promises';
import { withTimeout } from '../../concurrency/cancellation';

export interface DnsRecordsOptions {
  /** `address:port` of the name servers. Default: those of the operating system. */
  readonly servers?: readonly string[];
  /** The time limit of a query over all name servers, in milliseconds. Default 2,000. */
  readonly timeoutMs?: number;
}

/** The host and port of a service (RFC 2782). */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** The maximum number of records that are read from one answer. */
const MAX_RECORDS = 10;

/**
 * Queries records that are not addresses. What they name is not checked: connections to it go through `GuardedNetwork`. A name
 * without records and a name server that does not answer in time give the same: nothing.
 */
export class DnsRecords {
  private readonly timeoutMs: number;

  constructor(private readonly options: DnsRecordsOptions = {}) {
    this.timeoutMs = options.timeoutMs ?? 2_000;
  }

  /** The hosts that receive the mail of a domain, most preferred first. */
  async mailExchanges(domain: string): Promise<string[]> {
    const records = await this.query((resolver) => resolver.resolveMx(domain));
    const sorted = records.slice(0, MAX_RECORDS).sort((a, b) => a.priority - b.priority);
    return sorted.map(({ exchange }) => hostOf(exchange)).filter((host) => host !== '');
  }

  /** The addresses of a service (`_imaps._tcp.example.com`), most preferred first; without those that say "not available". */
  async services(name: string): Promise<ServiceAddress[]> {
    const records = await this.query((resolver) => resolver.resolveSrv(name));
    const sorted = records.slice(0, MAX_RECORDS).sort((a, b) => a.priority - b.priority || b.weight - a.weight);
    return sorted.map(({ name: host, port }) => ({ host: hostOf(host), port })).filter(({ host }) => host !== '');
  }

  /**
   * All records of a type, as `dns.promises.resolve` returns them. Unlike the other methods it distinguishes a name without records
   * (`ENOTFOUND`, `ENODATA`) from name servers that do not answer (`ETIMEOUT`).
   * @throws Error with the code
   */
  async records(name: string, type: string): Promise<string[] | string[][]> {
    const resolver = this.resolver();
    const timedOut = () => Object.assign(new Error(`No answer within ${this.timeoutMs} ms.`), { code: 'ETIMEOUT' });
    try {
      return await withTimeout(this.timeoutMs, timedOut, () => resolver.resolve(name, type as 'TXT'));
    } finally {
      resolver.cancel();
    }
  }

  private resolver(): Resolver {
    const resolver = new Resolver({ timeout: this.timeoutMs, tries: 1 });
    if (this.options.servers) resolver.setServers(this.options.servers);
    return resolver;
  }

  private async query<T>(ask: (resolver: Resolver) => Promise<T[]>): Promise<T[]> {
    const resolver = this.resolver();
    try {
      return await withTimeout(
        this.timeoutMs,
        () => new Error(`No answer within ${this.timeoutMs} ms.`),
        () => ask(resolver),
      );
    } catch {
      return [];
    } finally {
      resolver.cancel();
    }
  }
}

/** Lower case, without the trailing dot; empty for the root, which means that there is no host (RFC 7505, RFC 2782). */
const hostOf = (name: string): string => name.toLowerCase().replace(/\.$/, '');
