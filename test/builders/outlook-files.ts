import CFB from 'cfb';

/** An attachment of a mail in a format of Outlook. */
export interface OutlookAttachmentSpec {
  readonly name?: string;
  readonly mimeType?: string;
  readonly contentId?: string;
  /** The text shows it. */
  readonly shown?: boolean;
  /** An attached mail is given by its attachments. Null is a link. */
  readonly content: Buffer | readonly OutlookAttachmentSpec[] | null;
}

const BY_VALUE = 1;
const BY_REFERENCE = 2;
const MESSAGE = 5;

const uint16 = (value: number): Buffer => Buffer.from(new Uint16Array([value]).buffer);
const uint32 = (value: number): Buffer => Buffer.from(new Uint32Array([value]).buffer);
const utf16 = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');
const methodOf = (content: OutlookAttachmentSpec['content']): number =>
  content === null ? BY_REFERENCE : Buffer.isBuffer(content) ? BY_VALUE : MESSAGE;

/** `winmail.dat` (MS-OXTNEF). */
export function tnef(attachments: readonly OutlookAttachmentSpec[]): Buffer {
  return Buffer.concat([
    uint32(0x223e9f78),
    uint16(1),
    attribute(1, 0x00089006, uint32(0x00010000)), // version
    attribute(1, 0x00069007, Buffer.concat([uint32(1252), uint32(0)])), // code page
    attribute(1, 0x00078008, Buffer.from('IPM.Microsoft Mail.Note\0')), // class
    ...attachments.flatMap(tnefAttachment),
  ]);
}

function attribute(level: 1 | 2, id: number, data: Buffer): Buffer {
  const sum = data.reduce((total, byte) => (total + byte) & 0xffff, 0);
  return Buffer.concat([Buffer.from([level]), uint32(id), uint32(data.length), data, uint16(sum)]);
}

function tnefAttachment({ name, mimeType, contentId, shown, content }: OutlookAttachmentSpec): Buffer[] {
  const rendering = Buffer.concat([uint16(1), uint32(0xffffffff), uint16(0), uint16(0), uint32(0)]);
  const properties = [
    property(0x3705, 0x0003, uint32(methodOf(content))),
    ...(name === undefined ? [] : [property(0x3707, 0x001f, variable(utf16(name)))]),
    ...(mimeType === undefined ? [] : [property(0x370e, 0x001e, variable(Buffer.from(`${mimeType}\0`)))]),
    ...(contentId === undefined ? [] : [property(0x3712, 0x001f, variable(utf16(contentId)))]),
    ...(shown ? [property(0x3714, 0x0003, uint32(4))] : []),
    ...(content === null || Buffer.isBuffer(content) ? [] : [property(0x3701, 0x000d, variable(mailObject(content)))]),
  ];
  const shortName = Buffer.from(`${(name ?? 'ATT').slice(0, 8)}\0`, 'latin1');
  return [
    attribute(2, 0x00069002, rendering),
    ...(Buffer.isBuffer(content) ? [attribute(2, 0x0006800f, content)] : []),
    attribute(2, 0x00018010, shortName),
    attribute(2, 0x00069005, Buffer.concat([uint32(properties.length), ...properties])),
  ];
}

const property = (id: number, type: number, value: Buffer): Buffer => Buffer.concat([uint16(type), uint16(id), value]);

function variable(value: Buffer): Buffer {
  return Buffer.concat([uint32(1), uint32(value.length), value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

function mailObject(attachments: readonly OutlookAttachmentSpec[]): Buffer {
  return Buffer.concat([Buffer.from('0703020000000000c000000000000046', 'hex'), tnef(attachments)]);
}

/** A mail that was saved by Outlook (MS-OXMSG). */
export function msg(attachments: readonly OutlookAttachmentSpec[]): Buffer {
  const file = CFB.utils.cfb_new({ root: 'Root Entry' });
  addMessage(file, '', attachments, 32);
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Buffer);
}

function addMessage(
  file: CFB.CFB$Container,
  path: string,
  attachments: readonly OutlookAttachmentSpec[],
  header: number,
): void {
  const add = (name: string, content: Buffer) => CFB.utils.cfb_add(file, `${path}/${name}`, content);
  add('__properties_version1.0', Buffer.alloc(header));
  add('__substg1.0_001A001F', utf16('IPM.Note'));
  for (const [at, attachment] of attachments.entries()) {
    addAttachment(file, `${path}/__attach_version1.0_#${at.toString(16).toUpperCase().padStart(8, '0')}`, attachment);
  }
}

function addAttachment(
  file: CFB.CFB$Container,
  path: string,
  { name, mimeType, contentId, shown, content }: OutlookAttachmentSpec,
): void {
  const add = (stream: string, bytes: Buffer) => CFB.utils.cfb_add(file, `${path}/${stream}`, bytes);
  const entry = (tag: number, value: number) => Buffer.concat([uint32(tag), uint32(6), uint32(value), uint32(0)]);
  const entries = [entry(0x37050003, methodOf(content)), ...(shown ? [entry(0x37140003, 4)] : [])];
  add('__properties_version1.0', Buffer.concat([Buffer.alloc(8), ...entries]));
  if (name !== undefined) add('__substg1.0_3707001F', utf16(name));
  if (mimeType !== undefined) add('__substg1.0_370E001F', utf16(mimeType));
  if (contentId !== undefined) add('__substg1.0_3712001F', utf16(contentId));
  if (Buffer.isBuffer(content)) add('__substg1.0_37010102', content);
  else if (content !== null) addMessage(file, `${path}/__substg1.0_3701000D`, content, 24);
}
