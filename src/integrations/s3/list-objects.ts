import { child, textOf, type XmlElement, xmlRecords } from '../shared/http/xml-records';
import type { TreeFile } from '../shared/tree-sync/files/tree';
import { UnexpectedResponse } from '../core/source-errors';
import type { S3Client } from './s3-client';

/** One page of a listing. */
export interface ObjectPage {
  /** Whether it contains nothing, not even a folder marker. */
  readonly isEmpty: boolean;
  readonly files: readonly TreeFile[];
  /** The common prefixes up to and including the delimiter; empty without a delimiter. */
  readonly prefixes: readonly string[];
}

export interface ListOptions {
  /** The prefix of the keys; empty for all. */
  readonly prefix: string;
  /** Groups keys up to the next delimiter after the prefix. */
  readonly delimiter?: '/';
  readonly pageSize?: number;
}

/**
 * Lists the bucket's objects, page by page (ListObjectsV2). In a versioned bucket these are the latest versions without deleted
 * objects; the ETag identifies the version, because ListObjectsV2 returns no version ids. Throws what requests throw, and
 * `UnexpectedResponse`.
 */
export async function* listObjects(client: S3Client, options: ListOptions): AsyncGenerator<ObjectPage> {
  const { prefix, delimiter, pageSize = 1000 } = options;
  let token: string | undefined;
  for (;;) {
    const response = await client.list({
      'list-type': '2',
      prefix,
      'max-keys': String(pageSize),
      // Keys may contain characters that XML cannot represent.
      'encoding-type': 'url',
      ...(delimiter !== undefined && { delimiter }),
      ...(token !== undefined && { 'continuation-token': token }),
    });
    const records: XmlElement[] = [];
    for await (const some of xmlRecords(client.http.bytes(response), 'ListBucketResult', 'S3')) records.push(...some);
    const page: XmlElement = { name: 'ListBucketResult', uri: '', text: '', children: records };
    const decode = textOf(page, 'EncodingType') === 'url' ? decodeKey : (text: string) => text;
    const named = (name: string) => records.filter((record) => record.name === name);
    const [contents, common] = [named('Contents'), named('CommonPrefixes')];
    yield {
      isEmpty: contents.length + common.length === 0,
      files: contents.flatMap((record) => fileOf(record, decode)),
      prefixes: common.map((record) => decode(child(record, 'Prefix')?.text ?? '')),
    };
    if (textOf(page, 'IsTruncated') !== 'true') return;
    const next = textOf(page, 'NextContinuationToken');
    if (next === undefined || next === token)
      throw new UnexpectedResponse('S3: a truncated listing without a new continuation token.');
    token = next;
  }
}

function fileOf(record: XmlElement, decode: (text: string) => string): TreeFile[] {
  const path = decode(child(record, 'Key')?.text ?? '');
  const size = Number(textOf(record, 'Size') ?? NaN);
  if (path === '' || !Number.isSafeInteger(size)) throw new UnexpectedResponse('S3: an object without key or size.');
  // A folder marker. One with content is a file.
  if (path.endsWith('/') && size === 0) return [];
  const modified = new Date(textOf(record, 'LastModified') ?? '');
  const modifiedAt = Number.isNaN(modified.getTime()) ? undefined : modified;
  const version = etagOf(textOf(record, 'ETag')) ?? modifiedAt?.toISOString() ?? '';
  return [{ kind: 'file', path, size, modifiedAt, version, externalId: path }];
}

/** Normalizes an ETag, because headers, listings and servers format it differently. */
export function etagOf(text: string | undefined): string | undefined {
  const value = text?.replace(/^W\//, '').replace(/^"(.*)"$/, '$1');
  return value === undefined || value === '' ? undefined : `"${value}"`;
}

/** Decodes a form-encoded key: some servers encode a space as `+`, and all of them a plus as `%2B`. */
function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new UnexpectedResponse('S3: an invalid encoded key.');
  }
}
