/** A mail in a format of Outlook, as far as its attachments are concerned. */
export interface OutlookMessage {
  readonly attachments: readonly OutlookAttachment[];
}

export interface OutlookAttachment {
  readonly name?: string;
  /** In lower case. */
  readonly mimeType?: string;
  readonly contentId?: string;
  /** Whether it is shown in the text, like a logo. */
  readonly isInline: boolean;
  /** An attached mail has been read already. Null for a link, and for an object of another program. */
  readonly content: Uint8Array | OutlookMessage | null;
}

/** The properties of an attachment that are read (MS-OXPROPS). */
export const PROPERTY = {
  content: 0x3701,
  shortName: 0x3704,
  method: 0x3705,
  longName: 0x3707,
  mimeType: 0x370e,
  contentId: 0x3712,
  flags: 0x3714,
  displayName: 0x3001,
  isHidden: 0x7ffe,
  codePage: 0x3ffd,
} as const;

/** PidTagAttachMethod (MS-OXCMSG section 2.2.2.9). */
export const ATTACH_BY_VALUE = 1;
export const ATTACH_EMBEDDED_MESSAGE = 5;
/** PidTagAttachFlags: the HTML text refers to it. */
const SHOWN_IN_HTML = 4;

/** Mails nested deeper than this are attacks or mistakes. */
export const MAX_NESTED_MESSAGES = 10;

/** The values of an attachment's properties, however they are stored. */
export interface AttachmentValues {
  text(property: number): string | undefined;
  number(property: number): number | undefined;
}

/** An attachment by its properties. */
export function attachmentOf(values: AttachmentValues, content: OutlookAttachment['content']): OutlookAttachment {
  const name = values.text(PROPERTY.longName) ?? values.text(PROPERTY.displayName) ?? values.text(PROPERTY.shortName);
  const mimeType = values.text(PROPERTY.mimeType)?.split(';')[0]?.trim().toLowerCase();
  const contentId = values.text(PROPERTY.contentId);
  const isShown = ((values.number(PROPERTY.flags) ?? 0) & SHOWN_IN_HTML) !== 0;
  return {
    ...(name && { name }),
    ...(mimeType && { mimeType }),
    ...(contentId && { contentId }),
    isInline: isShown || (values.number(PROPERTY.isHidden) ?? 0) !== 0,
    content,
  };
}

/** Code pages of Windows whose names in the Encoding Standard do not contain their number. */
const LABELS: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  20127: 'utf-8',
  20866: 'koi8-r',
  51932: 'euc-jp',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** Decodes text in a code page of Windows up to a zero byte; in Western European when the code page is unknown. */
export function decodeCodePage(bytes: Uint8Array, codePage: number | undefined): string {
  return decoderOf(codePage)
    .decode(bytes)
    .replace(/\0[\s\S]*$/, '');
}

function decoderOf(codePage = 1252): InstanceType<typeof TextDecoder> {
  const isIso = codePage > 28590 && codePage < 28620;
  try {
    return new TextDecoder(LABELS[codePage] ?? (isIso ? `iso-8859-${codePage - 28590}` : `windows-${codePage}`));
  } catch {
    return new TextDecoder('windows-1252');
  }
}
