import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Session } from '../../../core/integration';
import type { DocumentRef, SourceDocument } from '../../../core/source-document';
import { DocumentUnavailable, UnexpectedResponse } from '../../../core/source-errors';
import { ZipArchive } from '../../../shared/mail/containers/archives/zip-archive';
import { embeddedBase64 } from '../../../shared/rest/embedded-base64';
import type { CompiledDocument } from '../../compile/documents';
import type { CompiledProvider } from '../../compile/provider';
import { acceptedType } from './content-types';
import { readRecord } from '../details';
import { downloadFile } from './download-file';
import { ProviderClient } from '../provider-client';
import { keyOf, type Locator } from '../references';

/** Members of a JSON answer beside its base64 content. */
const NAME_MEMBERS = ['filename', 'fileName', 'file_name', 'name'];
const TYPE_MEMBERS = ['mimeType', 'mimetype', 'mime_type', 'contentType', 'content_type'];

/**
 * Opens the content of one document as a stream.
 * @throws DocumentUnavailable, what the provider's error answers mean, Transient, or the signal's reason
 */
export async function openDocument(
  provider: CompiledProvider,
  session: Session,
  ref: DocumentRef,
): Promise<SourceDocument> {
  const { stream: name, id, part, child, file: fileName } = ref.locator as Locator;
  const client = new ProviderClient(provider, session);
  const stream = provider.streams.find((each) => each.name === name);
  const file = stream?.documents.find((each) => each.name === fileName);
  if (!stream || !file)
    throw new DocumentUnavailable(`${provider.label} no longer has "${name}" in this build.`, false);
  const variables = { id, key: keyOf(client, stream, id), child, ...(part !== undefined && { [stream.per!]: part }) };
  const record = file.needsRecord ? await readRecord(client, stream, id, variables) : null;
  const document = await contentOf(client, file, { record, variables, filename: ref.filename });
  return file.unzip ? unzipped(document) : document;
}

interface Subject {
  readonly record: unknown;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly filename: string;
}

async function contentOf(
  client: ProviderClient,
  file: CompiledDocument,
  { record, variables, filename }: Subject,
): Promise<SourceDocument> {
  const scope = client.scope(record, variables);
  const { request, url, base64, format } = file;
  const { label } = client.provider;
  if (url) {
    const answer = request ? (await client.ask(request, scope, 'document')).body : record;
    return downloadFile(client, url({ ...scope, record: answer }), filename, format);
  }
  const { stream, size, mimeType } = await client.bytes(request!, scope);
  const expected = acceptedType(format, mimeType);
  // Some providers send the file itself where they describe base64.
  if (base64 === undefined || (format === 'pdf' && mimeType === 'application/pdf')) {
    if (expected !== null) return { stream: notEmpty(stream, label), size, filename, mimeType: expected };
    stream.destroy();
    throw new DocumentUnavailable(`${label} delivers ${mimeType} instead of a document.`, false);
  }
  const { head, bytes } = await embeddedBase64(stream, base64);
  const stated = memberOf(head, TYPE_MEMBERS) ?? '';
  return {
    stream: notEmpty(bytes, label),
    filename: memberOf(head, NAME_MEMBERS) ?? filename,
    mimeType: /^[\w.+-]+\/[\w.+-]+$/.test(stated) ? stated : (acceptedType(format, '') ?? 'application/octet-stream'),
  };
}

const memberOf = (head: ReadonlyMap<string, string>, names: readonly string[]): string | undefined =>
  names.map((name) => head.get(name)).find((value) => value !== undefined && value !== '');

function notEmpty(source: AsyncIterable<Buffer>, label: string): Readable {
  const checked = async function* () {
    let isEmpty = true;
    for await (const part of source) {
      isEmpty = false;
      yield part;
    }
    if (isEmpty) throw new DocumentUnavailable(`${label} delivers an empty document.`, false);
  };
  return Readable.from(checked(), { objectMode: false });
}

/**
 * The only file of an archive; of several files the archive itself.
 * @throws DocumentUnavailable when it has none, UnexpectedResponse when it is no archive
 */
async function unzipped(archive: SourceDocument): Promise<SourceDocument> {
  const bytes = await limited(archive.stream);
  const zip = await ZipArchive.open(bytes).catch((error: unknown) => {
    throw new UnexpectedResponse('The answer is no zip archive.', { cause: error });
  });
  const [entry, ...more] = zip.entries;
  if (!entry) throw new DocumentUnavailable('The archive of the document has no file.', false);
  if (more.length > 0)
    return {
      stream: Readable.from([bytes]),
      size: bytes.length,
      filename: archive.filename.endsWith('.zip') ? archive.filename : `${archive.filename}.zip`,
      mimeType: 'application/zip',
    };
  return {
    stream: Readable.from(zip.read(entry), { objectMode: false }),
    size: entry.size,
    filename: entry.path.split(/[/\\]/).at(-1)!,
    // The content decides: the archive does not state it.
    mimeType: 'application/octet-stream',
  };
}

/** The maximum size of an archive, which is held in memory. */
const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;

async function limited(stream: Readable): Promise<Buffer> {
  let size = 0;
  return buffer(
    (async function* () {
      for await (const part of stream) {
        size += (part as Buffer).length;
        if (size > MAX_ARCHIVE_BYTES) throw new DocumentUnavailable('The archive of the document is too large.', false);
        yield part as Buffer;
      }
    })(),
  );
}
