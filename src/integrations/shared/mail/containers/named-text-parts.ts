import PostalMime from 'postal-mime';

/** What the parser knows about a part when it decides whether the part is text. */
interface ParsedNode {
  readonly contentType: { readonly parsed: HeaderValue };
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
 * Here they are attachments, as in mails that are not attached. There is no option for it, and the library itself parses what is nested.
 */
export function keepNamedTextParts(): void {
  const internals = PostalMime.prototype as unknown as ParserInternals;
  const isInlineText: ParserInternals['isInlineTextNode'] = Reflect.get(internals, 'isInlineTextNode');
  internals.isInlineTextNode = function (node) {
    return isInlineText.call(this, node) && !isNamed(node);
  };
}

function isNamed({ contentType, contentDisposition }: ParsedNode): boolean {
  return [contentDisposition.parsed.params['filename'], contentType.parsed.params['name']].some((name) => name?.trim());
}
