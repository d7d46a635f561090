import { Readable } from 'node:stream';
import { isAddressNotAllowed } from '../../../../platform/network/network';
import type { SourceDocument } from '../../../core/source-document';
import { DocumentUnavailable, SelectionNotFound } from '../../../core/source-errors';
import { discardBody, SourceHttpClient, type SourceHttpResponse } from '../../../shared/http/source-http-client';
import type { Format } from '../../compile/documents';
import { acceptedType } from './content-types';
import type { ProviderClient } from '../provider-client';

/**
 * The content at an address that the provider has sent, without credentials. Its host has to be one of the manifest's, the network
 * guard checks where it and its redirects lead.
 * @throws DocumentUnavailable for an address or an answer that is not acceptable, RateLimited, Transient, or the signal's reason
 */
export async function downloadFile(
  client: ProviderClient,
  address: unknown,
  filename: string,
  format: Format,
): Promise<SourceDocument> {
  const { provider, session } = client;
  const { label } = provider;
  const url = addressOf(client, address);
  const http = new SourceHttpClient(session.network, session.signal, label);
  const target = { origin: url.origin, path: url.pathname + url.search };
  const response = await http.send(target, { method: 'GET' }).catch((error: unknown) => {
    // The address and its redirects concern this document only.
    if (!(error instanceof SelectionNotFound) && !isAddressNotAllowed(error)) throw error;
    throw new DocumentUnavailable(`${label} returns an address that is not allowed.`, false, { cause: error });
  });
  const { status, headers } = response;
  const stated = String(headers['content-type'] ?? '')
    .split(';')[0]!
    .trim();
  const mimeType = acceptedType(format, stated);
  if (status !== 200 || mimeType === null) {
    await discardBody(response);
    if (status !== 200) throw provider.classify({ status, headers, body: null }, 'file');
    throw new DocumentUnavailable(`${label} delivers ${stated} instead of a document.`, false);
  }
  const size = sizeOf(response);
  return {
    stream: Readable.from(http.bytes(response), { objectMode: false }),
    filename,
    mimeType,
    ...(size !== undefined && { size }),
  };
}

function addressOf({ provider, session, base }: ProviderClient, given: unknown): URL {
  const { label, hosts } = provider;
  if (given === undefined) throw new DocumentUnavailable(`${label} has no content of this document yet.`, false);
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : null;
  // Unencrypted only when the API itself is.
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && session.apiBaseUrl.startsWith('http:'));
  if (!url || !isSafe) throw new DocumentUnavailable(`${label} returns an invalid address.`, false);
  // A deployment that uses another host for the API is another installation, with other hosts.
  const isOwn = session.apiBaseUrl !== base || url.origin === new URL(base).origin;
  if (isOwn || hosts === 'any' || hosts.some((host) => matches(url.hostname, host))) return url;
  throw new DocumentUnavailable(`${label} returns an address of an undeclared host.`, false);
}

const matches = (hostname: string, host: string): boolean =>
  host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;

function sizeOf({ headers }: SourceHttpResponse): number | undefined {
  const length = headers['content-length'];
  return length !== undefined && Number.isSafeInteger(Number(length)) ? Number(length) : undefined;
}
