import { mimeTypeOf, isTypeUnknown } from '../../../../documents/detection/mime-type';

/** A kind of attachment that is or contains a document; `office` and `other` are taken by choice (`attachment-choice.ts`). */
export interface Kind {
  readonly family:
    'pdf' | 'xml' | 'image' | 'zip' | 'cms' | 'tnef' | 'encrypted' | 'mail' | 'unknown' | 'html' | 'office' | 'other';
  readonly mimeType: string;
  /** Without dot. */
  readonly extension: string;
}

const PDF: Kind = { family: 'pdf', mimeType: 'application/pdf', extension: 'pdf' };
const XML: Kind = { family: 'xml', mimeType: 'application/xml', extension: 'xml' };
const ZIP: Kind = { family: 'zip', mimeType: 'application/zip', extension: 'zip' };
/** Signed or encrypted (RFC 5652): a whole mail (S/MIME, RFC 8551), or one file. */
const CMS: Kind = { family: 'cms', mimeType: 'application/pkcs7-mime', extension: 'p7m' };
/** Outlook's attachment format (MS-OXTNEF). Delivered unchanged, because no maintained library reads it. */
const TNEF: Kind = { family: 'tnef', mimeType: 'application/vnd.ms-tnef', extension: 'dat' };
/** A rights-protected mail that only the recipient's account can open (MS-OXORMMS); the enclosing mail contains nothing else. */
const RPMSG: Kind = { family: 'encrypted', mimeType: 'application/x-microsoft-rpmsg-message', extension: 'rpmsg' };
/** The encrypted part of a mail in PGP/MIME (RFC 3156 section 4). */
export const PGP: Kind = { family: 'encrypted', mimeType: 'application/pgp-encrypted', extension: 'asc' };
/** A mail attached as a file, whose parts the source does not list. `message/global` (RFC 6532) has UTF-8 addresses. */
const MAIL: Kind = { family: 'mail', mimeType: 'message/rfc822', extension: 'eml' };
/** The kind is unknown from type and name and determined by the content (`sniffType`). */
export const UNKNOWN: Kind = { family: 'unknown', mimeType: 'application/octet-stream', extension: '' };
/** The kind of a mail's text; HTML attachments are not documents. */
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

/** The offset of the first file's name in an archive (APPNOTE.TXT section 4.3.7). */
const FIRST_NAME_OFFSET = 30;

/**
 * Types that are never documents, whatever the name: signatures, certificates, calendars, the mail's text, and the resource forks of
 * macOS (RFC 1740).
 */
const NON_DOCUMENT_TYPES =
  /^(application\/(x-)?(pkcs7(?!-mime$)|pgp|applefile$)|text\/(html|calendar)|multipart\/|message\/(?!(rfc822|global)$))/;

/**
 * The kind by MIME type and file name; undefined when it is not a document. A known MIME type takes precedence over the name, because
 * many senders use application/octet-stream for everything.
 */
export function kindOf(type: string, name: string | undefined): Kind | undefined {
  if (NON_DOCUMENT_TYPES.test(type)) return undefined;
  return BY_TYPE.get(type) ?? kindByName(name);
}

/** The kind of a certain attachment: when type and name are inconclusive, it may still be a document. */
export function kindOfAttached(type: string, name: string | undefined): Kind | undefined {
  return kindOf(type, name) ?? (isTypeUnknown(type, name) ? UNKNOWN : undefined);
}

/** Whether it is an archive, which is extracted. */
export const isArchive = (mimeType: string): boolean => mimeType === ZIP.mimeType;

/** Whether it is a signed or encrypted mail or file; extracted when it is only signed. */
export const isCms = (mimeType: string): boolean => mimeType === CMS.mimeType;

/** The kind by the beginning of the content; undefined when it is not a document. */
export async function kindByContent(content: Buffer): Promise<Kind | undefined> {
  // Office files are archives, mostly with their content types first (ECMA-376 part 2), and are not extracted.
  if (content.toString('latin1', FIRST_NAME_OFFSET, FIRST_NAME_OFFSET + 19) === '[Content_Types].xml') return undefined;
  return kindOf(await mimeTypeOf(content, '', undefined), undefined);
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
export const isContainer = (mimeType: string): boolean => isArchive(mimeType) || isCms(mimeType) || isMail(mimeType);

/** Whether it may contain no document, like most mails. */
export const mayHoldNoDocument = ({ family }: Kind): boolean => family === 'mail' || family === 'unknown';

/** The extension of a file name in lower case, without dot; empty when there is none. Trailing punctuation is ignored. */
export function extensionOf(name: string | undefined): string {
  return /\.([a-z0-9]{1,8})["'.\s]*$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? '';
}

/** Whether the extension of the name matches the kind. */
export function fitsKind(name: string, kind: Kind): boolean {
  return BY_EXTENSION.get(extensionOf(name)) === kind;
}

function image(mimeType: string, extension: string): Kind {
  return { family: 'image', mimeType, extension };
}
