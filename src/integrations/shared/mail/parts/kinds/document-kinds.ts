import { isTypeConfirmed, isTypeUnknown, mimeTypeOf } from '../../../../../documents/detection/mime-type';
import {
  BY_EXTENSION,
  BY_LESS_PRECISE_TYPE,
  BY_TYPE,
  CMS,
  GZIP,
  type Kind,
  MAIL,
  MSG,
  TAR,
  TNEF,
  UNKNOWN,
  ZIP,
} from './kinds';

const COMPOUND_FILE = 'application/x-cfb';
/** The beginning of a stream's name in a mail of Outlook (MS-OXMSG section 2.2). */
const MSG_STREAM = Buffer.from('__substg1.0_', 'utf16le');

/** The offset of the first file's name in an archive (APPNOTE.TXT section 4.3.7). */
const FIRST_NAME_OFFSET = 30;

/**
 * Types that are never documents, whatever the name: signatures, certificates, calendars, the mail's text, and the resource forks of
 * macOS (RFC 1740).
 */
const NON_DOCUMENT_TYPES =
  /^(application\/(x-)?(pkcs7(?!-mime$)|pgp|applefile$)|text\/(html|calendar)|multipart\/|message\/(?!(rfc822|global)$))/;
/** Their content is what the type says. */
const MEDIA_TYPES = /^(image|audio|video|font)\//;

/**
 * The kind by MIME type and file name; undefined when it is not a document. A known MIME type takes precedence over the name, because
 * many senders use application/octet-stream for everything. Portals send PDF and XML as text/html.
 */
export function kindOf(type: string, name: string | undefined): Kind | undefined {
  const named = kindByName(name);
  if (type === 'text/html') return named?.family === 'pdf' || named?.family === 'xml' ? named : undefined;
  if (NON_DOCUMENT_TYPES.test(type)) return undefined;
  return BY_TYPE.get(type) ?? named ?? BY_LESS_PRECISE_TYPE.get(type);
}

/** The kind of a certain attachment: when type and name are inconclusive, it may still be a document. */
export function kindOfAttached(type: string, name: string | undefined): Kind | undefined {
  return kindOf(type, name) ?? (isTypeUnknown(type, name) ? UNKNOWN : undefined);
}

/** Whether a part that type and name do not call a document may be one: they contradict each other, or one of them says nothing. */
export function mayBeDocument(type: string, name: string | undefined): boolean {
  const named = kindByName(name);
  if (type === 'application/applefile' || named?.family === 'image') return false;
  if (named || type === 'text/html') return true;
  return !NON_DOCUMENT_TYPES.test(type) && !MEDIA_TYPES.test(type) && !isTypeConfirmed(type, name);
}

/** Whether it is an archive, which is extracted. */
export const isArchive = (mimeType: string): boolean => isZip(mimeType) || isTar(mimeType) || isGzip(mimeType);

const isZip = (mimeType: string): boolean => mimeType === ZIP.mimeType;
export const isTar = (mimeType: string): boolean => mimeType === TAR.mimeType;
export const isGzip = (mimeType: string): boolean => mimeType === GZIP.mimeType;

/** Whether it is a mail in a format of Outlook, which is extracted. */
export const isMsg = (mimeType: string): boolean => mimeType === MSG.mimeType;
export const isTnef = (mimeType: string): boolean => mimeType === TNEF.mimeType;

/** Whether it is a signed or encrypted mail or file; extracted when it is only signed. */
export const isCms = (mimeType: string): boolean => mimeType === CMS.mimeType;

/** The kind by the beginning of the content; undefined when it is not a document. A name makes the result more precise. */
export async function kindByContent(content: Buffer, name = ''): Promise<Kind | undefined> {
  // Office files are archives, mostly with their content types first (ECMA-376 part 2), and are not extracted.
  if (content.toString('latin1', FIRST_NAME_OFFSET, FIRST_NAME_OFFSET + 19) === '[Content_Types].xml') return undefined;
  const type = await mimeTypeOf(content, name, undefined);
  // Old Office files have the same format, with other streams in it.
  if (type === COMPOUND_FILE) return content.includes(MSG_STREAM) ? MSG : undefined;
  return kindOf(type, undefined);
}

/** The kind by content of a doubtful part: another name than that of a document allows PDF and XML only. */
export async function kindOfDoubtful(content: Buffer, name: string): Promise<Kind | undefined> {
  const kind = await kindByContent(content, name);
  if (!kind || kind.family === 'pdf' || kind.family === 'xml') return kind;
  return fitsKind(name, kind) || (isContainer(kind.mimeType) && isTypeUnknown('', name)) ? kind : undefined;
}

/** Whether the name alone identifies a document. */
export const hasDocumentExtension = (name: string | undefined): boolean => kindByName(name) !== undefined;

/** The extension `dat` is ambiguous, but Outlook always uses the name `winmail.dat`. */
function kindByName(name: string | undefined): Kind | undefined {
  return /^\s*winmail\.dat\s*$/i.test(name ?? '') ? TNEF : BY_EXTENSION.get(extensionOf(name));
}

/** Whether it is a mail, which is extracted. */
export const isMail = (mimeType: string): boolean => mimeType === MAIL.mimeType;

/** Whether it is extracted. */
export const isContainer = (mimeType: string): boolean =>
  isArchive(mimeType) || isCms(mimeType) || isMail(mimeType) || isMsg(mimeType) || isTnef(mimeType);

/** Whether it may contain no document, like most mails. */
export const mayHoldNoDocument = ({ family }: Kind): boolean =>
  ['mail', 'msg', 'tnef', 'unknown', 'doubtful'].includes(family);

/** The extension of a file name in lower case, without dot; empty when there is none. Trailing punctuation is ignored. */
export function extensionOf(name: string | undefined): string {
  return /\.([a-z0-9]{1,8})["'.\s]*$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? '';
}

/** Whether the extension of the name matches the kind. */
export function fitsKind(name: string, kind: Kind): boolean {
  return BY_EXTENSION.get(extensionOf(name)) === kind;
}
