import type { ProviderManifest } from '../../language/manifest';
import type { Pseudonyms } from './pseudonyms';

/**
 * Makes the addresses of a cassette from those of answers: the API has the address that the file states, other hosts are the declared
 * ones, and every part of a path and every value of a query has its pseudonym.
 */
export class Addresses {
  private readonly api: URL;

  /**
   * @param apiBaseUrl where the API was reached
   * @param baseWith the address that the file states, with the pseudonyms of fields in it
   */
  constructor(
    private readonly manifest: Pick<ProviderManifest, 'hosts'>,
    apiBaseUrl: string,
    private readonly baseWith: (pseudonyms: Pseudonyms) => string,
  ) {
    this.api = new URL(apiBaseUrl);
  }

  /** An absolute address, or one below the origin of the API (`/invoices?page=2`). */
  readonly pseudonymOf = (address: string, pseudonyms: Pseudonyms): string => {
    const base = new URL(this.baseWith(pseudonyms));
    const isAbsolute = !address.startsWith('/');
    const url = new URL(address, this.api);
    const isApi = url.origin === this.api.origin;
    const own = this.api.pathname.replace(/\/$/, '');
    const isBelow = isApi && own !== '' && url.pathname.startsWith(`${own}/`);
    const path = pathOf(isBelow ? url.pathname.slice(own.length) : url.pathname, pseudonyms);
    const start = isBelow ? base.pathname.replace(/\/$/, '') : '';
    const end = start + path + queryOf(url, pseudonyms);
    if (!isAbsolute) return end;
    return (isApi ? base.origin : `https://${this.hostOf(url.hostname, base, pseudonyms)}`) + end;
  };

  private hostOf(hostname: string, base: URL, pseudonyms: Pseudonyms): string {
    const { hosts = [] } = this.manifest;
    const own = pseudonyms.text(hostname.replaceAll('.', '-'));
    if (hosts === 'any') return `${own}.example`;
    if (hosts.includes(hostname)) return hostname;
    const declared = hosts.find((host) => host.startsWith('*.') && hostname.endsWith(host.slice(1))) ?? hosts[0];
    // Without declared hosts, documents come from the API.
    return declared?.replace('*', own) ?? base.hostname;
  }
}

const pathOf = (path: string, pseudonyms: Pseudonyms): string =>
  path
    .split('/')
    .map((part) => (part === '' ? '' : encodeURIComponent(pseudonyms.text(decoded(part)))))
    .join('/');

function queryOf(url: URL, pseudonyms: Pseudonyms): string {
  const query = [...url.searchParams].map(([name, value]): [string, string] => [name, pseudonyms.text(value)]);
  return query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
