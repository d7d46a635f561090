import CFB from 'cfb';
import {
  ATTACH_BY_VALUE,
  type AttachmentValues,
  attachmentOf,
  decodeCodePage,
  MAX_NESTED_MESSAGES,
  type OutlookAttachment,
  type OutlookMessage,
  PROPERTY,
} from './outlook-message';

/** The lengths of the headers of the fixed-size properties (MS-OXMSG section 2.4). */
const MESSAGE_HEADER = 32;
const NESTED_MESSAGE_HEADER = 24;
const ATTACHMENT_HEADER = 8;
const ENTRY_BYTES = 16;

/** A compound file; the library also reads other formats. */
const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const PROPERTIES = '__properties_version1.0';
const ATTACHMENT = /^__attach_version1\.0_#[0-9a-f]{8}$/i;
const NESTED_MESSAGE = '__substg1.0_3701000D';

/** A folder of the file, which is a mail, an attachment or a recipient. */
interface Storage {
  readonly streams: Map<string, Uint8Array>;
  readonly storages: Map<string, Storage>;
}

/**
 * Reads the attachments of a mail that was saved by Outlook (MS-OXMSG), which is a compound file (MS-CFB) with one stream for each
 * property. @throws Error when it is not such a file
 */
export function readMsg(bytes: Uint8Array): OutlookMessage {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('It is not a compound file.');
  const root = storagesOf(CFB.read(file, { type: 'buffer' }));
  if (!root.streams.has(PROPERTIES)) throw new Error('It is not a mail.');
  return messageOf(root, MESSAGE_HEADER, 0);
}

function storagesOf({ FullPaths, FileIndex }: CFB.CFB$Container): Storage {
  const all = new Map<string, Storage>();
  const storageAt = (path: string): Storage => {
    const known = all.get(path);
    if (known) return known;
    const storage: Storage = { streams: new Map(), storages: new Map() };
    all.set(path, storage);
    const [parent, name] = splitPath(path);
    if (path !== '') storageAt(parent).storages.set(name, storage);
    return storage;
  };
  for (const [at, whole] of FullPaths.entries()) {
    const entry = FileIndex[at]!;
    // The first one is the name of the root.
    const path = whole.replace(/^[^/]*\/?/, '').replace(/\/$/, '');
    if (entry.type !== 2) storageAt(path);
    else {
      const [parent, name] = splitPath(path);
      // An empty stream has no content.
      storageAt(parent).streams.set(name, Buffer.from((entry.content as Uint8Array | undefined) ?? []));
    }
  }
  return storageAt('');
}

function splitPath(path: string): [parent: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
}

function messageOf(storage: Storage, header: number, depth: number): OutlookMessage {
  const codePage = new MsgProperties(storage, header).number(PROPERTY.codePage);
  const attachments = [...storage.storages].filter(([name]) => ATTACHMENT.test(name));
  // Their order in the file depends on the program that wrote it.
  const sorted = attachments.sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return { attachments: sorted.map(([, attachment]) => attachmentIn(attachment, codePage, depth)) };
}

function attachmentIn(storage: Storage, codePage: number | undefined, depth: number): OutlookAttachment {
  const properties = new MsgProperties(storage, ATTACHMENT_HEADER, codePage);
  return attachmentOf(properties, contentOf(storage, properties, depth));
}

function contentOf(storage: Storage, properties: MsgProperties, depth: number): OutlookAttachment['content'] {
  const nested = storage.storages.get(NESTED_MESSAGE);
  if (nested?.streams.has(PROPERTIES)) {
    return depth < MAX_NESTED_MESSAGES ? messageOf(nested, NESTED_MESSAGE_HEADER, depth + 1) : null;
  }
  const method = properties.number(PROPERTY.method) ?? ATTACH_BY_VALUE;
  return method === ATTACH_BY_VALUE ? (storage.streams.get('__substg1.0_37010102') ?? null) : null;
}

/** The properties of a storage: texts are streams, numbers are in one table. */
class MsgProperties implements AttachmentValues {
  private readonly storage: Storage;
  private readonly codePage: number | undefined;
  private readonly numbers = new Map<number, number>();

  constructor(storage: Storage, header: number, codePage?: number) {
    this.storage = storage;
    this.codePage = codePage;
    const table = Buffer.from(storage.streams.get(PROPERTIES) ?? []);
    for (let at = header; at + ENTRY_BYTES <= table.length; at += ENTRY_BYTES) {
      this.numbers.set(table.readUInt16LE(at + 2), table.readUInt32LE(at + 8));
    }
  }

  number(property: number): number | undefined {
    return this.numbers.get(property);
  }

  text(property: number): string | undefined {
    const stream = (type: string) =>
      this.storage.streams.get(`__substg1.0_${property.toString(16).toUpperCase().padStart(4, '0')}${type}`);
    const unicode = stream('001F');
    if (unicode)
      return (
        Buffer.from(unicode)
          .toString('utf16le')
          .replace(/\0[\s\S]*$/, '') || undefined
      );
    const bytes = stream('001E');
    return bytes ? decodeCodePage(bytes, this.codePage) || undefined : undefined;
  }
}
