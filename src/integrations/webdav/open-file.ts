import type { DocumentRef, SourceDocument } from '../core/source-document';
import { SelectionNotFound, DocumentUnavailable } from '../core/source-errors';
import { discardBody, type SourceHttpResponse } from '../shared/http/source-http-client';
import { FileRef } from '../shared/tree-sync/files/file-ref';
import { asDocument, fileChanged, ConnectionLost, resumableRead } from '../shared/tree-sync/files/resumable-read';
import { classifyFileResponse } from './client/dav-errors';
import type { DavTree } from './dav-tree';
import { etagOf } from './client/multistatus';

const WHAT = 'WebDAV';

/**
 * Opens a listed file. When the connection breaks, the rest is requested; the content has to be of the listed version.
 * Throws `DocumentUnavailable`, `RateLimited` or `Transient`; the stream fails with the same errors.
 */
export function openFile(tree: DavTree, ref: DocumentRef): Promise<SourceDocument> {
  const file = FileRef.read(ref.locator);
  return asDocument(
    ref,
    file.size,
    resumableRead(WHAT, file.size, (position) => readFrom(tree, file, position)),
  );
}

async function* readFrom(tree: DavTree, file: FileRef, position: number): AsyncGenerator<Buffer> {
  const { client } = tree;
  const response = await client.get(tree.target(file.path), position).catch((error: unknown) => {
    // An invalid redirect concerns this file only; the listing has verified the folder.
    throw error instanceof SelectionNotFound ? new DocumentUnavailable(error.message, false) : error;
  });
  if (response.status !== 200 && !(response.status === 206 && position > 0)) {
    await client.http.excerpt(response);
    // A 401 for a single file means that it is not accessible.
    if (response.status === 401 && response.isTrusted) await tree.assertLoggedIn();
    throw classifyFileResponse(response, WHAT, client.now());
  }
  if (!(await isListed(tree, file, response, position))) {
    await discardBody(response);
    throw fileChanged(WHAT);
  }
  // A server without range support starts from the beginning.
  let skip = response.status === 200 ? position : 0;
  let reached = position - skip;
  for await (const bytes of client.http.bytes(response)) {
    reached += bytes.length;
    if (bytes.length > skip) yield skip > 0 ? bytes.subarray(skip) : bytes;
    skip = Math.max(0, skip - bytes.length);
  }
  // Without a length, the end of the connection is the end of the file (HTTP/1.0), and a broken connection is indistinguishable.
  if (response.headers['content-length'] === undefined && reached > position && reached < (file.size ?? 0)) {
    throw new ConnectionLost(`${WHAT}: a part of the file is missing.`);
  }
}

/** Whether a response is the listed version, or the rest of it. */
async function isListed(
  tree: DavTree,
  file: FileRef,
  { status, headers }: SourceHttpResponse,
  position: number,
): Promise<boolean> {
  const isSize = (stated: string) => stated === '*' || file.size === null || Number(stated) === file.size;
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '');
  if (status === 206) {
    if (Number(range?.[1]) !== position || !isSize(range![2]!)) return false;
  } else if (!isSize(headers['content-length'] ?? '*')) return false;
  const shown = shownVersion(file.version, headers);
  if (shown === undefined || shown === file.version) return true;
  // Some servers format a file's ETag differently here: that of the listing counts.
  const now = await tree.stat({ kind: 'file', ...file, modifiedAt: undefined });
  return now !== null && now.size === file.size && now.version === file.version;
}

/** The version in a response's headers: an ETag or a time, as in the listing. */
function shownVersion(listed: string, headers: SourceHttpResponse['headers']): string | undefined {
  if (listed.startsWith('"')) return etagOf(headers.etag);
  const time = Date.parse(headers['last-modified'] ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
