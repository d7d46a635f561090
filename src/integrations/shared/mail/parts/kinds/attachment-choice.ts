import mime from 'mime';
import { isTypeUnknown, mimeTypeOf } from '../../../../../documents/detection/mime-type';
import type { FieldSpec } from '../../../../core/field';
import { extensionOf } from './document-kinds';
import type { Kind } from './kinds';

/** Which attachments a connection takes: documents, also office files, or all. */
export type AttachmentChoice = 'documents' | 'office' | 'all';

export const ATTACHMENTS_FIELD = {
  id: 'attachments',
  type: 'select',
  label: { en: 'Attachments', de: 'Anhänge' },
  help: {
    en: 'Signatures and images that belong to the text of an e-mail (such as logos) are never fetched. A change applies to e-mails that arrive from then on.',
    de: 'Signaturen und Bilder, die zum Text einer E-Mail gehören (etwa Logos), werden nie abgerufen. Eine Änderung gilt für E-Mails, die danach eintreffen.',
  },
  required: false,
  default: 'documents',
  options: [
    { value: 'documents', label: { en: 'Documents (PDF, XML, images)', de: 'Dokumente (PDF, XML, Bilder)' } },
    { value: 'office', label: { en: 'Also office files and tables', de: 'Auch Office-Dateien und Tabellen' } },
    { value: 'all', label: { en: 'All attachments', de: 'Alle Anhänge' } },
  ],
} as const satisfies FieldSpec;

/** Reads the choice of a stored second step. */
export function attachmentChoice(step2: Readonly<Record<string, unknown>>): AttachmentChoice {
  const choice = step2['attachments'];
  return choice === 'office' || choice === 'all' ? choice : 'documents';
}

const OFFICE_EXTENSIONS: ReadonlySet<string> = new Set(
  'doc docx docm dot dotx odt rtf xls xlsx xlsm xlsb ods csv tsv ppt pptx pptm odp pages numbers key'.split(' '),
);
const OFFICE_TYPES =
  /^(application\/(msword|rtf|vnd\.(ms-(excel|powerpoint|word)|openxmlformats-officedocument|oasis\.opendocument\.(text|spreadsheet|presentation)|apple\.(pages|numbers|keynote)))|text\/(csv|rtf|tab-separated-values))/;
/** Parts of the structure of a mail, whatever their disposition: signatures, keys, reports, and resource forks of macOS. */
const STRUCTURE = /^(application\/(x-)?(pkcs7|pgp|applefile)|multipart\/|message\/)/;

/**
 * The kind of an attachment that is no document by itself, if the user wants it. `type` is in lower case. Office files are told by
 * their type or name.
 */
export function optionalKind(choice: AttachmentChoice, type: string, name: string | undefined): Kind | undefined {
  if (choice === 'documents' || STRUCTURE.test(type)) return undefined;
  const extension = extensionOf(name);
  const isOffice = OFFICE_EXTENSIONS.has(extension) || (OFFICE_TYPES.test(type) && !isDifferent(type, extension));
  if (!isOffice && choice !== 'all') return undefined;
  const declared = isTypeUnknown(type, undefined) || (isOffice && !OFFICE_TYPES.test(type)) ? null : type;
  return {
    family: isOffice ? 'office' : 'other',
    mimeType: declared ?? mime.getType(extension) ?? 'application/octet-stream',
    extension: extension || (mime.getExtension(declared ?? '') ?? ''),
  };
}

/** The same by the beginning of the content. */
export async function optionalKindByContent(choice: AttachmentChoice, content: Buffer): Promise<Kind | undefined> {
  if (choice === 'documents' || content.length === 0) return undefined;
  return optionalKind(choice, await mimeTypeOf(content, '', undefined), undefined);
}

/** Senders use the type of Excel for anything that comes from a table: a name of another type is more precise. */
function isDifferent(type: string, extension: string): boolean {
  return type === 'application/vnd.ms-excel' && extension !== '' && mime.getType(extension) !== null;
}
