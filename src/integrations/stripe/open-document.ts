import { Readable } from 'node:stream';
import { isAddressNotAllowed } from '../../platform/network/network';
import type { DocumentRef, SourceDocument } from '../core/source-document';
import { SelectionNotFound, DocumentUnavailable } from '../core/source-errors';
import { discardBody, SourceHttpClient } from '../shared/http/source-http-client';
import { parseDocumentRef } from './documents';
import type { StripeSession } from './fields';
import { pdfOf, StripeApi } from './stripe-api';
import { classifyPdf } from './stripe-errors';

const PDF = 'application/pdf';

/** The PDF of an invoice or credit note from the address that Stripe returns: another host, to which the key is never sent. */
export async function openDocument(session: StripeSession, ref: DocumentRef): Promise<SourceDocument> {
  const { kind, id } = parseDocumentRef(ref.locator);
  const url = addressOf(session, pdfOf(await new StripeApi(session).document(kind, id)));
  const http = new SourceHttpClient(session.network, session.signal, 'Stripe');
  const target = { origin: url.origin, path: url.pathname + url.search };
  const response = await http.send(target, { method: 'GET' }).catch((error: unknown) => {
    // The address and its redirects concern this document only.
    if (!(error instanceof SelectionNotFound) && !isAddressNotAllowed(error)) throw error;
    throw new DocumentUnavailable('Stripe returns an address of the PDF that is not allowed.', false, { cause: error });
  });
  const { status, headers } = response;
  const mimeType = String(headers['content-type'] ?? PDF)
    .split(';')[0]!
    .trim();
  if (status !== 200 || !['application/octet-stream', PDF].includes(mimeType)) {
    await discardBody(response);
    if (status !== 200) throw classifyPdf({ status, headers, body: null });
    throw new DocumentUnavailable(`Stripe delivers ${mimeType} instead of a PDF.`, false);
  }
  const length = Number(headers['content-length']);
  return {
    stream: Readable.from(http.bytes(response), { objectMode: false }),
    filename: ref.filename,
    mimeType: PDF,
    ...(headers['content-length'] !== undefined && Number.isSafeInteger(length) && { size: length }),
  };
}

function addressOf({ apiBaseUrl }: StripeSession, given: string | null): URL {
  if (given === null) throw new DocumentUnavailable('Stripe has no PDF of this document yet.', false);
  const url = URL.canParse(given) ? new URL(given) : null;
  // Unencrypted only when the API itself is.
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && apiBaseUrl.startsWith('http:'))) return url;
  throw new DocumentUnavailable('Stripe returns an invalid address of the PDF.', false);
}
