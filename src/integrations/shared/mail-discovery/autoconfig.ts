import { isIP } from 'node:net';
import { parseXml, type XmlElement } from '../../../documents/e-invoice/xml/xml';
import { normalizeHost } from '../../../platform/network/addresses/normalize-host';

/** A mail server that a domain names for its addresses. */
export interface NamedMailServer {
  readonly host: string;
  readonly port: number;
  readonly security: 'TLS' | 'STARTTLS';
  readonly userName: UserName;
}

/** Which part of the address is the user name. */
export type UserName = 'ADDRESS' | 'LOCAL_PART';

const SECURITIES = new Map<string | undefined, NamedMailServer['security']>([
  ['SSL', 'TLS'],
  ['STARTTLS', 'STARTTLS'],
]);
const PASSWORDS: readonly (string | undefined)[] = ['password-cleartext', 'password-encrypted', 'plain', 'secure'];

/**
 * The first server of an autoconfig document (`clientConfig` 1.1) of a domain that can be used: IMAP, encrypted, with a password.
 * Undefined when it has none. The document is read as an e-invoice is: without document types, entities and access to anything.
 * @throws when it is not well-formed XML
 */
export function readAutoconfig(bytes: Uint8Array, domain: string): NamedMailServer | undefined {
  const root = parseXml(bytes);
  if (root.name !== 'clientConfig') return undefined;
  const servers = root.all('emailProvider').flatMap((provider) => provider.all('incomingServer'));
  return servers.map((server) => usableServer(server, domain)).find((server) => server !== undefined);
}

function usableServer(server: XmlElement, domain: string): NamedMailServer | undefined {
  const host = mailHost(server.text('hostname')?.replaceAll('%EMAILDOMAIN%', domain) ?? '');
  const port = server.text('port') ?? '';
  const security = SECURITIES.get(server.text('socketType'));
  if (server.attribute('type') !== 'imap' || !host || !security || !isPort(port)) return undefined;
  const ways = server.all('authentication').map((way) => way.text());
  if (ways.length > 0 && !ways.some((way) => PASSWORDS.includes(way))) return undefined;
  const isLocalPart = server.text('username') === '%EMAILLOCALPART%';
  return { host, port: Number(port), security, userName: isLocalPart ? 'LOCAL_PART' : 'ADDRESS' };
}

/** The name of a server on the internet, normalized; undefined for anything else, IP addresses included. */
export function mailHost(text: string): string | undefined {
  const host = normalizeHost(text.trim().toLowerCase());
  const isName = host !== null && host.length <= 253 && host.includes('.') && isIP(host) === 0;
  return isName && /^[a-z0-9._-]+$/.test(host) ? host : undefined;
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
