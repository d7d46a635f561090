import { fileTypeFromBuffer } from 'file-type';
import mime from 'mime';
import { decodeXmlStart } from '../e-invoice/xml/decode-xml';

export const PDF = 'application/pdf';
export const XML = 'application/xml';

/** Enough for every signature, and for the start tag of an XML document's root. */
export const HEAD_BYTES = 64 * 1024;
/** Enough for every signature. */
export const SIGNATURE_BYTES = 4 * 1024;
/** The signature of a PDF. */
export const PDF_SIGNATURE = Buffer.from('%PDF-');
/** Outlook's `winmail.dat` (MS-OXTNEF section 2.1.3.1). */
const TNEF_SIGNATURE = Buffer.from('789f3e22', 'hex');
/** Generic types that do not describe the content. */
const GENERIC_TYPES = /\/(?:octet-stream|force-download|x-download|download|unknown|x-unknown|save|\*)$/;
/** Types whose content begins with a signature: content without it has another type. */
const SIGNED =
  /^(?:application\/(?:pdf|zip|gzip|x-7z-compressed|vnd\.rar|epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\..+)|image\/(?:png|jpeg|gif|webp|tiff|bmp|heic|heif|avif))$/;
/** Types that share a container format, when only the container can be detected. */
const CONTAINER_MEMBERS: Readonly<Record<string, RegExp>> = {
  'application/zip':
    /^application\/(?:epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\..+|vnd\.ms-\w+\..*macroenabled\.12)$/i,
  'application/x-cfb': /^application\/(?:msword|vnd\.ms-(?:excel|powerpoint|outlook|project|works)|vnd\.visio)$/,
};

const NOT_YET_ROOT = /^(?:\s+|<\?[^>]*\?>|<!--[\s\S]*?-->)+/;

/** The declared type without parameters; undefined when it is missing or generic. */
function stated(type: string | null | undefined): string | undefined {
  const bare = type?.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^[a-z0-9.+-]+\/[a-z0-9.+*-]+$/.test(bare) && !GENERIC_TYPES.test(bare) ? bare : undefined;
}

/** Exchange's names for unnamed files (`ATT00001.bin`), and ends of host names and numbers: not extensions, even if registered. */
const NO_EXTENSION = /\.(?:bin|com|org|me|\d+)$/i;

/** Whether neither the declared type nor the name gives a type, so that only the content can. A one-letter extension was truncated. */
export function isTypeUnknown(type: string, filename: string | undefined): boolean {
  const hasExtension = /\.[a-z0-9]{2,}$/i.test(filename ?? '') && !NO_EXTENSION.test(filename!);
  return stated(type) === undefined && !(hasExtension && mime.getType(filename!) !== null);
}

/** Whether the extension is registered for the declared type, so that both say the same. */
export function isTypeConfirmed(type: string, filename: string | undefined): boolean {
  if (stated(type) === undefined) return false;
  const [, extension] = /\.([a-z0-9]{1,12})$/i.exec(filename?.trim() ?? '') ?? [];
  const registered = mime.getAllExtensions(type);
  return extension === undefined
    ? type !== 'text/plain' && registered !== null
    : registered?.has(extension.toLowerCase()) === true;
}

async function signature(head: Buffer): Promise<string | undefined> {
  // ISO 32000 readers accept a header within the first 1,024 bytes.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found) return found.mime;
  // A PDF in it may begin within the first 1,024 bytes.
  if (head.subarray(0, TNEF_SIGNATURE.length).equals(TNEF_SIGNATURE)) return 'application/vnd.ms-tnef';
  return head.subarray(0, 1024).includes(PDF_SIGNATURE) ? PDF : undefined;
}

/** XML by its declaration, or by a root element with a namespace; HTML by its doctype or root. */
function markup(head: Buffer): string | undefined {
  const start = decodeXmlStart(head).trimStart();
  if (!start.startsWith('<')) return undefined;
  const root = start.replace(NOT_YET_ROOT, '').slice(0, 4096);
  if (/^<(?:!doctype\s+html|html[\s>])/i.test(root))
    return start.startsWith('<?xml') ? 'application/xhtml+xml' : 'text/html';
  if (/^<\?xml\s/.test(start) || /^<[A-Za-z_][\w.:-]*\s[^>]*?xmlns(?::[\w.-]+)?\s*=/.test(root)) return XML;
  return undefined;
}

function isText(head: Buffer): boolean {
  if (head.length === 0) return false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // eslint-disable-next-line no-control-regex -- binary content is recognized by them
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
  } catch {
    return false;
  }
}

/**
 * The MIME type of a document: the one detected from its first bytes; otherwise the declared one, otherwise the one of
 * the name's extension, unless the first bytes contradict it (a "PDF" without the signature of PDF); otherwise
 * `text/plain` or `application/octet-stream`. When the content determines only the family (zip, compound file, XML), a
 * declared or suggested member of that family is more precise and is used. Lower case, without parameters. Never
 * throws.
 */
export async function mimeTypeOf(wholeHead: Buffer, filename: string, declared: string | undefined): Promise<string> {
  const head = wholeHead.subarray(0, HEAD_BYTES);
  const hints = [stated(declared), stated(mime.getType(filename))].filter((hint) => hint !== undefined);
  const signed = await signature(head);
  const proven = signed === undefined || signed === XML ? (markup(head) ?? signed) : signed;
  if (proven === XML) return hints.find((hint) => hint.endsWith('+xml')) ?? XML;
  if (proven !== undefined) return hints.find((hint) => CONTAINER_MEMBERS[proven]?.test(hint)) ?? proven;
  return hints.find((hint) => !SIGNED.test(hint)) ?? (isText(head) ? 'text/plain' : 'application/octet-stream');
}
