/** A kind of attachment that is or contains a document; `office` and `other` are taken by choice (`attachment-choice.ts`). */
export interface Kind {
  readonly family:
    | 'pdf'
    | 'xml'
    | 'image'
    | 'zip'
    | 'tar'
    | 'gzip'
    | '7z'
    | 'cms'
    | 'tnef'
    | 'msg'
    | 'encrypted'
    | 'mail'
    | 'unknown'
    | 'doubtful'
    | 'html'
    | 'office'
    | 'other';
  readonly mimeType: string;
  /** Without dot. */
  readonly extension: string;
}

const PDF: Kind = { family: 'pdf', mimeType: 'application/pdf', extension: 'pdf' };
const XML: Kind = { family: 'xml', mimeType: 'application/xml', extension: 'xml' };
export const ZIP: Kind = { family: 'zip', mimeType: 'application/zip', extension: 'zip' };
export const TAR: Kind = { family: 'tar', mimeType: 'application/x-tar', extension: 'tar' };
/** One compressed file, often a tar archive (RFC 1952). */
export const GZIP: Kind = { family: 'gzip', mimeType: 'application/gzip', extension: 'gz' };
/** Delivered unchanged, because no maintained library reads it without native or WebAssembly binaries. */
const SEVEN_ZIP: Kind = { family: '7z', mimeType: 'application/x-7z-compressed', extension: '7z' };
/** Signed or encrypted (RFC 5652): a whole mail (S/MIME, RFC 8551), or one file. */
export const CMS: Kind = { family: 'cms', mimeType: 'application/pkcs7-mime', extension: 'p7m' };
/** The attachments of a mail from Outlook, packed into one (MS-OXTNEF). */
export const TNEF: Kind = { family: 'tnef', mimeType: 'application/vnd.ms-tnef', extension: 'dat' };
/** A mail that was saved by Outlook (MS-OXMSG). */
export const MSG: Kind = { family: 'msg', mimeType: 'application/vnd.ms-outlook', extension: 'msg' };
/** A rights-protected mail that only the recipient's account can open (MS-OXORMMS); the enclosing mail contains nothing else. */
const RPMSG: Kind = { family: 'encrypted', mimeType: 'application/x-microsoft-rpmsg-message', extension: 'rpmsg' };
/** The encrypted part of a mail in PGP/MIME (RFC 3156 section 4). */
export const PGP: Kind = { family: 'encrypted', mimeType: 'application/pgp-encrypted', extension: 'asc' };
/** A mail attached as a file, whose parts the source does not list. `message/global` (RFC 6532) has UTF-8 addresses. */
export const MAIL: Kind = { family: 'mail', mimeType: 'message/rfc822', extension: 'eml' };
/** The kind is unknown from type and name and determined by the content (`sniffType`). */
export const UNKNOWN: Kind = { family: 'unknown', mimeType: 'application/octet-stream', extension: '' };
/** Type and name do not say document, but nothing confirms that: the content decides (`sniffType`). */
export const DOUBTFUL: Kind = { family: 'doubtful', mimeType: 'application/x-unconfirmed', extension: '' };
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

export const BY_EXTENSION: ReadonlyMap<string, Kind> = new Map([
  ['pdf', PDF],
  ['xml', XML],
  ['zip', ZIP],
  ['tar', TAR],
  ['gz', GZIP],
  ['tgz', GZIP],
  ['7z', SEVEN_ZIP],
  ['p7m', CMS],
  ['msg', MSG],
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

export const BY_TYPE: ReadonlyMap<string, Kind> = new Map([
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

/** Types that only count when the name identifies no document: programs state them for files of other kinds, too. */
export const BY_LESS_PRECISE_TYPE: ReadonlyMap<string, Kind> = new Map([
  ['application/x-tar', TAR],
  ['application/tar', TAR],
  ['application/gzip', GZIP],
  ['application/x-gzip', GZIP],
  ['application/gzip-compressed', GZIP],
  ['application/x-gtar', GZIP],
  ['application/x-compressed-tar', GZIP],
  ['application/x-7z-compressed', SEVEN_ZIP],
  ['application/vnd.ms-outlook', MSG],
  ['application/x-msg', MSG],
]);

function image(mimeType: string, extension: string): Kind {
  return { family: 'image', mimeType, extension };
}
