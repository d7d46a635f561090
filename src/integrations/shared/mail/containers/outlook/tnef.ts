import { ByteReader, ContentTruncated } from './byte-reader';
import {
  ATTACH_EMBEDDED_MESSAGE,
  attachmentOf,
  decodeCodePage,
  MAX_NESTED_MESSAGES,
  type OutlookAttachment,
  type OutlookMessage,
  PROPERTY,
} from './outlook-message';
import { TnefProperties } from './tnef-properties';

const SIGNATURE = 0x223e9f78;
/** Attributes (MS-OXTNEF section 2.1.3.2), without their types. */
const ATTRIBUTE = { codePage: 0x9007, attachment: 0x9002, data: 0x800f, title: 0x8010, properties: 0x9005 };
/** Whether an attribute belongs to the mail or to an attachment. Other values are no attributes. */
const LEVEL_MAIL = 1;
const LEVEL_ATTACHMENT = 2;

/** What the attributes of one attachment have said so far. */
interface Draft {
  data?: Buffer;
  title?: string;
  properties?: TnefProperties;
}

/**
 * Reads the attachments of a mail in TNEF (MS-OXTNEF): `winmail.dat`. Bytes that some gateways add at the end are ignored.
 * @throws Error when it is no TNEF, or cut off
 */
export function readTnef(bytes: Uint8Array, depth = 0): OutlookMessage {
  const reader = new ByteReader(bytes);
  if (reader.left < 6 || reader.uint32() !== SIGNATURE) throw new Error('It is not TNEF.');
  reader.uint16(); // a key without meaning
  const drafts: Draft[] = [];
  let codePage: number | undefined;
  try {
    while (reader.left > 0) {
      const level = reader.uint8();
      if (level !== LEVEL_MAIL && level !== LEVEL_ATTACHMENT) break;
      const { id, data } = readAttribute(reader);
      if (id === ATTRIBUTE.codePage && data.length >= 4) codePage = data.readUInt32LE(0);
      if (level !== LEVEL_ATTACHMENT) continue;
      if (id === ATTRIBUTE.attachment) drafts.push({});
      const draft = drafts.at(-1);
      if (draft) addAttribute(draft, id, data, codePage);
    }
  } catch (error) {
    if (!(error instanceof ContentTruncated)) throw error;
    throw new Error('The attachments are cut off.', { cause: error });
  }
  return { attachments: drafts.map((draft) => attachmentIn(draft, depth)) };
}

function readAttribute(reader: ByteReader): { id: number; data: Buffer } {
  const id = reader.uint32() & 0xffff;
  const data = reader.take(reader.uint32());
  reader.uint16(); // the checksum: the transport protects integrity
  return { id, data };
}

function addAttribute(draft: Draft, id: number, data: Buffer, codePage: number | undefined): void {
  if (id === ATTRIBUTE.data) draft.data = data;
  else if (id === ATTRIBUTE.title) draft.title = decodeCodePage(data, codePage);
  else if (id === ATTRIBUTE.properties) draft.properties = new TnefProperties(data, codePage);
}

function attachmentIn({ data, title, properties }: Draft, depth: number): OutlookAttachment {
  const content = contentOf(data, properties, depth);
  if (!properties) return { ...(title && { name: title }), isInline: false, content };
  const attachment = attachmentOf(properties, content);
  return { ...(title && { name: title }), ...attachment };
}

function contentOf(
  data: Buffer | undefined,
  properties: TnefProperties | undefined,
  depth: number,
): OutlookAttachment['content'] {
  const mail = properties?.mail(PROPERTY.content);
  if (mail) return depth < MAX_NESTED_MESSAGES ? readTnef(mail, depth + 1) : null;
  if (properties?.number(PROPERTY.method) === ATTACH_EMBEDDED_MESSAGE) return null;
  return properties?.binary(PROPERTY.content) ?? data ?? null;
}
