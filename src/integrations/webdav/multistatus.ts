import { UnexpectedResponse } from '../core/source-errors';
import type { SourceHttpResponse, SourceHttpClient } from '../shared/http/source-http-client';
import { child, textOf, type XmlElement, xmlRecords } from '../shared/http/xml-records';

const DAV = 'DAV:';
const OWNCLOUD = 'http://owncloud.org/ns';

const STANDARD = '<d:resourcetype/><d:getcontentlength/><d:getlastmodified/><d:getetag/>';

/** What is asked of every file and folder. */
export const PROPERTIES = propfind(STANDARD);

/** The same and what Nextcloud and ownCloud know besides. Another server says of each file that it has no such thing: half as much again to read. */
export const PROPERTIES_WITH_IDS = propfind(`${STANDARD}<oc:fileid/><nc:contained-folder-count/>`);

export const PRINCIPAL = propfind('<d:current-user-principal/>');

/** One resource of an answer (RFC 4918 section 14.24). */
export interface Resource {
  /** Its path as the server wrote it: absolute, percent-encoded, with a `/` in the end or without. */
  readonly href: string;
  readonly isFolder: boolean;
  /** Bytes; undefined where the server does not tell. */
  readonly size: number | undefined;
  readonly modifiedAt: Date | undefined;
  /** In quotes, without the mark of a weak one: weak or strong, it differs when the content does. */
  readonly etag: string | undefined;
  /** Nextcloud's and ownCloud's id of a file or folder, the same wherever it is moved. */
  readonly fileId: string | undefined;
  /** How many folders are directly in this one. */
  readonly folders: number | undefined;
  /** Who is logged in, as a path. */
  readonly principal: string | undefined;
}

/** The resources of a 207 answer, in portions. Throws `UnexpectedResponse` and `ConnectionLost`. */
export async function* readMultistatus(http: SourceHttpClient, answer: SourceHttpResponse): AsyncGenerator<Resource[]> {
  for await (const records of xmlRecords(http.bytes(answer), 'multistatus', http.label)) {
    yield records
      .filter(({ name, uri }) => name === 'response' && uri === DAV)
      .flatMap((response) => resource(response, http.label, answer.target.path));
  }
}

function propfind(properties: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:" xmlns:oc="${OWNCLOUD}" xmlns:nc="http://nextcloud.org/ns"><d:prop>${properties}</d:prop></d:propfind>`;
}

function resource(response: XmlElement, what: string, asked: string): Resource[] {
  const href = textOf(response, 'href');
  if (href === undefined) throw new UnexpectedResponse(`${what}: a response without href.`);
  // A resource that the server cannot say anything about has a status instead of properties.
  const found = response.children.filter(
    (each) => each.name === 'propstat' && /^HTTP\/[\d.]+\s+200\b/.test(textOf(each, 'status') ?? ''),
  );
  const props = found.flatMap((propstat) => child(propstat, 'prop')?.children ?? []);
  if (props.length === 0) return [];
  const all: XmlElement = { name: 'prop', uri: DAV, text: '', children: props };
  const size = textOf(all, 'getcontentlength');
  const modified = Date.parse(textOf(all, 'getlastmodified') ?? '');
  const folders = textOf(all, 'contained-folder-count');
  return [
    {
      href: absolute(href, asked),
      isFolder: child(child(all, 'resourcetype'), 'collection') !== undefined,
      size: size !== undefined && /^\d{1,15}$/.test(size) ? Number(size) : undefined,
      modifiedAt: Number.isNaN(modified) ? undefined : new Date(modified),
      etag: etagOf(textOf(all, 'getetag')),
      fileId: textOf(all, 'fileid'),
      folders: folders !== undefined && /^\d{1,9}$/.test(folders) ? Number(folders) : undefined,
      principal: textOf(child(all, 'current-user-principal'), 'href'),
    },
  ];
}

/** An ETag in the one form in which they are compared: headers, properties and proxies write the same one differently. */
export function etagOf(text: string | undefined): string | undefined {
  const value = text?.replace(/^W\//, '').replace(/^"(.*)"$/, '$1');
  return value === undefined || value === '' ? undefined : `"${value}"`;
}

/** hrefs are paths or whole URLs; which server they name does not matter, as nothing is asked of another one. */
function absolute(href: string, asked: string): string {
  const path = href.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  if (path.startsWith('/')) return path;
  return asked.slice(0, asked.lastIndexOf('/') + 1) + path.replace(/^\.\//, '');
}
