import { mimeTypeOf, sayNothing } from '../../../../documents/detection/mime-type';

/** What kinds of attachments are documents, or hold some. Office files are not among them. */
export interface Kind {
  readonly family: 'pdf' | 'xml' | 'image' | 'zip' | 'cms' | 'tnef' | 'encrypted' | 'mail' | 'unknown' | 'html';
  readonly mimeType: string;
  /** Without dot. */
  readonly extension: string;
}

const PDF: Kind = { family: 'pdf', mimeType: 'application/pdf', extension: 'pdf' };
const XML: Kind = { family: 'xml', mimeType: 'application/xml', extension: 'xml' };
const ZIP: Kind = { family: 'zip', mimeType: 'application/zip', extension: 'zip' };
/** Signed or encrypted (RFC 5652): a whole mail (S/MIME, RFC 8551), or one file. */
const CMS: Kind = { family: 'cms', mimeType: 'application/pkcs7-mime', extension: 'p7m' };
/** Outlook's way to attach (MS-OXTNEF). There is no living library that reads it, so it is handed on as it is. */
const TNEF: Kind = { family: 'tnef', mimeType: 'application/vnd.ms-tnef', extension: 'dat' };
/** A mail that only its readers' accounts open (MS-OXORMMS): the mail around it says so, and holds nothing else. */
const RPMSG: Kind = { family: 'encrypted', mimeType: 'application/x-microsoft-rpmsg-message', extension: 'rpmsg' };
/** The encrypted part of a mail in PGP/MIME (RFC 3156 section 4). */
export const PGP: Kind = { family: 'encrypted', mimeType: 'application/pgp-encrypted', extension: 'asc' };
/** A mail that is attached as a file: its source shows none of its parts. RFC 6532 has addresses in UTF-8. */
const MAIL: Kind = { family: 'mail', mimeType: 'message/rfc822', extension: 'eml' };
/** Neither its type nor its name tells what it is: its content will (`sniffType`). */
export const UNKNOWN: Kind = { family: 'unknown', mimeType: 'application/octet-stream', extension: '' };
/** What a mail's own text is made into; as an attachment it is none. */
export const HTML: Kind = { family: 'html', mimeType: 'text/html', extension: 'html' };
const JPEG = image('image/jpeg', 'jpg');
const PNG = image('image/png', 'png');
const TIFF = image('image/tiff', 'tif');
const HEIC = image('image/heic', 'heic');
const HEIF = image('image/heif', 'heif');
const WEBP = image('image/webp', 'webp');
const GIF = image('image/gif', 'gif');
const BMP = image('image/bmp', 'bmp');

const BY_EXTENSION: ReadonlyMap<string, Kind> = new Map([
  ['pdf', PDF],
  ['xml', XML],
  ['zip', ZIP],
  ['p7m', CMS],
  ['rpmsg', RPMSG],
  ['eml', MAIL],
  ['jpg', JPEG],
  ['jpeg', JPEG],
  ['jpe', JPEG],
  ['png', PNG],
  ['tif', TIFF],
  ['tiff', TIFF],
  ['heic', HEIC],
  ['heif', HEIF],
  ['webp', WEBP],
  ['gif', GIF],
  ['bmp', BMP],
]);

const BY_TYPE: ReadonlyMap<string, Kind> = new Map([
  ['application/pdf', PDF],
  ['application/x-pdf', PDF],
  ['application/acrobat', PDF],
  ['application/vnd.pdf', PDF],
  ['image/pdf', PDF],
  ['text/pdf', PDF],
  ['application/xml', XML],
  ['text/xml', XML],
  ['application/vnd.oasis.ubl+xml', XML],
  ['application/zip', ZIP],
  ['application/x-zip', ZIP],
  ['application/x-zip-compressed', ZIP],
  ['application/pkcs7-mime', CMS],
  ['application/x-pkcs7-mime', CMS],
  ['application/ms-tnef', TNEF],
  ['application/vnd.ms-tnef', TNEF],
  ['application/x-microsoft-rpmsg-message', RPMSG],
  ['message/rfc822', MAIL],
  ['message/global', MAIL],
  ['image/jpeg', JPEG],
  ['image/jpg', JPEG],
  ['image/pjpeg', JPEG],
  ['image/png', PNG],
  ['image/x-png', PNG],
  ['image/tiff', TIFF],
  ['image/tif', TIFF],
  ['image/heic', HEIC],
  ['image/heif', HEIF],
  ['image/webp', WEBP],
  ['image/gif', GIF],
  ['image/bmp', BMP],
]);

/** Where an archive has the name of its first file (APPNOTE.TXT section 4.3.7). */
const FIRST_NAME_OFFSET = 30;

/**
 * The name of these lies: the content is a signature, a certificate, a calendar, the mail's own text, or what a Mac keeps
 * beside a file and calls the same (RFC 1740).
 */
const NON_DOCUMENT_TYPES =
  /^(application\/(x-)?(pkcs7(?!-mime$)|pgp|applefile$)|text\/(html|calendar)|multipart\/|message\/(?!(rfc822|global)$))/;

/**
 * What a part is, by MIME type and file name, or undefined when it is no document. The type decides where it is one
 * of a document; otherwise the name does, because many senders call everything application/octet-stream.
 */
export function kindOf(type: string, name: string | undefined): Kind | undefined {
  if (NON_DOCUMENT_TYPES.test(type)) return undefined;
  return BY_TYPE.get(type) ?? kindByName(name);
}

/** The same of what is certainly attached: where type and name say nothing, it may be a document all the same. */
export function kindOfAttached(type: string, name: string | undefined): Kind | undefined {
  return kindOf(type, name) ?? (sayNothing(type, name) ? UNKNOWN : undefined);
}

/** Whether it is an archive, which is looked into. */
export const isArchive = (mimeType: string): boolean => mimeType === ZIP.mimeType;

/** Whether it is a signed or encrypted mail or file, which is looked into where it is only signed. */
export const isCms = (mimeType: string): boolean => mimeType === CMS.mimeType;

/** What the beginning of a file proves it to be; undefined when that is no document. */
export async function kindByContent(content: Buffer): Promise<Kind | undefined> {
  // Office files are archives, mostly with their list of types first (ECMA-376 part 2): what is in them is none of ours.
  if (content.toString('latin1', FIRST_NAME_OFFSET, FIRST_NAME_OFFSET + 19) === '[Content_Types].xml') return undefined;
  return kindOf(await mimeTypeOf(content, '', undefined), undefined);
}

/** Whether a name alone tells that it is one of a document. */
export const hasDocumentExtension = (name: string | undefined): boolean => kindByName(name) !== undefined;

/** `dat` alone says nothing; what Outlook makes is always called the same. */
function kindByName(name: string | undefined): Kind | undefined {
  return /^\s*winmail\.dat\s*$/i.test(name ?? '') ? TNEF : BY_EXTENSION.get(extensionOf(name));
}

/** Whether it is a mail, which is looked into. */
export const isMail = (mimeType: string): boolean => mimeType === MAIL.mimeType;

/** Whether it is looked into. */
export const isContainer = (mimeType: string): boolean => isArchive(mimeType) || isCms(mimeType) || isMail(mimeType);

/** Whether it may turn out to be no document when it is looked into, as most mails hold none. */
export const mayHoldNoDocument = ({ family }: Kind): boolean => family === 'mail' || family === 'unknown';

/** The extension of a file name in lower case, without dot; empty when there is none. What stands behind it is a slip. */
export function extensionOf(name: string | undefined): string {
  return /\.([a-z0-9]{1,8})["'.\s]*$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? '';
}

/** Whether a file of this kind may be called so. */
export function fitsKind(name: string, kind: Kind): boolean {
  return BY_EXTENSION.get(extensionOf(name)) === kind;
}

function image(mimeType: string, extension: string): Kind {
  return { family: 'image', mimeType, extension };
}
