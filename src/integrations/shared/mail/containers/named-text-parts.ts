import PostalMime from 'postal-mime';

/** What the parser knows about a part when it decides whether the part is text. */
interface ParsedNode {
  readonly parentNode?: ParsedNode;
  readonly contentType: { readonly multipart: string | false; readonly parsed: HeaderValue };
  readonly contentDisposition: { readonly parsed: HeaderValue };
}
interface HeaderValue {
  readonly params: Readonly<Record<string, string | undefined>>;
}
/** Internal to the library: the corpus of mails fails when an update changes it. */
interface ParserInternals {
  isInlineTextNode(node: ParsedNode): boolean;
}

/**
 * The library adds text parts with a file name to the text of their mail, unless they are declared as attachments, and so loses them.
 * Here they are attachments, as in mails that are not attached; the parser of nested mails has no other way to be told.
 */
export function keepNamedTextParts(): void {
  const internals = PostalMime.prototype as unknown as ParserInternals;
  const isInlineText: ParserInternals['isInlineTextNode'] = Reflect.get(internals, 'isInlineTextNode');
  internals.isInlineTextNode = function (node) {
    return isInlineText.call(this, node) && !(isNamed(node) && !isVariant(node));
  };
}

function isNamed({ contentType, contentDisposition }: ParsedNode): boolean {
  return [contentDisposition.parsed.params['filename'], contentType.parsed.params['name']].some((name) => name?.trim());
}

/** One of the forms of a mail's text. */
const isVariant = ({ parentNode }: ParsedNode): boolean => parentNode?.contentType.multipart === 'alternative';
