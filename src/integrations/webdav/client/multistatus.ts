import { UnexpectedResponse } from '../../core/source-errors';
import type { SourceHttpResponse, SourceHttpClient } from '../../shared/http/source-http-client';
import { child, textOf, type XmlElement, xmlRecords } from '../../shared/http/xml-records';

const DAV = 'DAV:';
const OWNCLOUD = 'http://owncloud.org/ns';

const STANDARD = '<d:resourcetype/><d:getcontentlength/><d:getlastmodified/><d:getetag/>';

/** The requested properties of files and folders. */
export const PROPERTIES = propfind(STANDARD);

/**
 * With the additional properties of Nextcloud and ownCloud. Other servers would report them as missing for each file, which makes
 * responses half as large again.
 */
export const PROPERTIES_WITH_IDS = propfind(`${STANDARD}<oc:fileid/><nc:contained-folder-count/>`);

export const PRINCIPAL = propfind('<d:current-user-principal/>');

/** One resource of a response (RFC 4918 section 14.24). */
export interface Resource {
  /** Its path as sent by the server: absolute, percent-encoded, with or without a trailing `/`. */
  readonly href: string;
  readonly isFolder: boolean;
  /** The size in bytes; undefined when unknown. */
  readonly size: number | undefined;
  readonly modifiedAt: Date | undefined;
  /** In quotes, without the prefix of weak ETags: weak or strong, it changes with the content. */
  readonly etag: string | undefined;
  /** Nextcloud's and ownCloud's id of a file or folder, stable when it is moved. */
  readonly fileId: string | undefined;
  /** The number of direct subfolders. */
  readonly folders: number | undefined;
  /** The logged-in user, as a path. */
  readonly principal: string | undefined;
}

/** The resources of a 207 response, in portions. Throws `UnexpectedResponse` and `ConnectionLost`. */
export async function* readMultistatus(
  http: SourceHttpClient,
  response: SourceHttpResponse,
): AsyncGenerator<Resource[]> {
  for await (const records of xmlRecords(http.bytes(response), 'multistatus', http.label)) {
    yield records
      .filter(({ name, uri }) => name === 'response' && uri === DAV)
      .flatMap((element) => resource(element, http.label, response.target.path));
  }
}

function propfind(properties: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:" xmlns:oc="${OWNCLOUD}" xmlns:nc="http://nextcloud.org/ns"><d:prop>${properties}</d:prop></d:propfind>`;
}

function resource(response: XmlElement, what: string, asked: string): Resource[] {
  const href = textOf(response, 'href');
  if (href === undefined) throw new UnexpectedResponse(`${what}: a response without href.`);
  // A resource without properties has a status instead.
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

/** Normalizes an ETag, because headers, properties and proxies format it differently. */
export function etagOf(text: string | undefined): string | undefined {
  const value = text?.replace(/^W\//, '').replace(/^"(.*)"$/, '$1');
  return value === undefined || value === '' ? undefined : `"${value}"`;
}

/** The path of an href, which is a path or a URL. The host is ignored, because other servers are never requested. */
function absolute(href: string, asked: string): string {
  const path = href.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  if (path.startsWith('/')) return path;
  return asked.slice(0, asked.lastIndexOf('/') + 1) + path.replace(/^\.\//, '');
}
