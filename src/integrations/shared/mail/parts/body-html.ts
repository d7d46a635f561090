import sanitize from 'sanitize-html';

/** An image in the mail. */
export interface BodyImage {
  readonly mimeType: string;
  readonly content: Buffer;
}

/** The text of a mail. */
export interface BodyText {
  readonly kind: 'html' | 'text';
  readonly text: string;
  /** For the document's title. */
  readonly subject: string;
  /** By Content-ID, without angle brackets, in lower case. */
  readonly images: ReadonlyMap<string, BodyImage>;
}

/** Raster images only: SVG can contain active content. */
const IMAGE_TYPES = /^image\/(png|jpeg|gif|webp|bmp)$/;
/** Prevents loading and scripts, as a second line of defense. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** A CSS value without `url()`, `expression()`, `image-set()` and escapes that could express them. */
const PLAIN = [/^(?!.*\b(url|expression|image|image-set|cross-fade|element|var|attr)\s*\()[^\\<>{};@]*$/i];
const PROPERTIES =
  'background-color color direction display font font-family font-size font-style font-variant font-weight height letter-spacing ' +
  'line-height list-style-type max-height max-width min-height min-width text-align text-decoration text-indent text-transform ' +
  'vertical-align white-space width word-break border border-collapse border-spacing border-color border-style border-width ' +
  'border-top border-right border-bottom border-left border-radius margin margin-top margin-right margin-bottom margin-left ' +
  'padding padding-top padding-right padding-bottom padding-left table-layout overflow-wrap word-wrap';

const TAGS =
  'a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del div dl dt em figcaption ' +
  'figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strike ' +
  'strong sub sup table tbody td tfoot th thead time tr tt u ul var';

const EVERYWHERE = ['style', 'align', 'valign', 'bgcolor', 'width', 'height', 'dir', 'lang', 'title'];

/**
 * Renders the text of a mail as a self-contained HTML document: without scripts, forms, frames and style sheets, with the mail's
 * own images embedded, and without external content such as tracking images. Links are kept, because they load nothing by
 * themselves. The output is deterministic.
 */
export function bodyDocument({ kind, text, subject, images }: BodyText): Buffer {
  const body = kind === 'html' ? cleaned(text, images) : `<pre style="white-space:pre-wrap">${escaped(text)}</pre>`;
  return Buffer.from(
    `<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n` +
      `<title>${escaped(subject)}</title>\n</head>\n<body>\n${body.trim()}\n</body>\n</html>\n`,
    'utf8',
  );
}

/** The Content-IDs that a text refers to, in the form of `images`. */
export function shownImages(html: string): Set<string> {
  return new Set([...html.matchAll(/\bsrc\s*=\s*["']?\s*cid:([^"'\s>]{1,250})/gi)].map(([, id]) => contentId(id!)));
}

/** Normalizes a Content-ID for comparison: no angle brackets, percent-decoded (RFC 2392), lower case. */
export function contentId(written: string): string {
  const bare = written.trim().replace(/^<|>$/g, '');
  try {
    return decodeURIComponent(bare).toLowerCase();
  } catch {
    return bare.toLowerCase();
  }
}

function cleaned(html: string, images: ReadonlyMap<string, BodyImage>): string {
  return sanitize(html, {
    allowedTags: TAGS.split(' '),
    allowedAttributes: {
      '*': EVERYWHERE,
      a: ['href', 'rel'],
      img: ['src', 'alt', 'border'],
      table: ['border', 'cellpadding', 'cellspacing', 'summary'],
      td: ['colspan', 'rowspan', 'nowrap'],
      th: ['colspan', 'rowspan', 'nowrap', 'scope'],
      col: ['span'],
      font: ['color', 'face', 'size'],
      ol: ['start', 'type'],
    },
    allowedStyles: { '*': Object.fromEntries(PROPERTIES.split(' ').map((name) => [name, PLAIN])) },
    allowedSchemes: ['https', 'http', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    // The text of these elements is not part of the mail's text.
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'svg', 'math', 'template'],
    nestingLimit: 200,
    transformTags: {
      a: (tagName, attributes) => ({ tagName, attribs: { ...attributes, rel: 'noopener noreferrer' } }),
      img: (tagName, { src = '', ...attributes }) => {
        const data = dataOf(src, images);
        if (data) return { tagName, attribs: { ...attributes, src: data } };
        return { tagName: 'span', attribs: {}, text: attributes['alt'] ?? '' };
      },
    },
  });
}

function dataOf(src: string, images: ReadonlyMap<string, BodyImage>): string | undefined {
  const source = src.trim();
  if (/^data:image\/(png|jpe?g|gif|webp|bmp);base64,[A-Za-z0-9+/=\s]+$/i.test(source)) return source;
  const image = /^cid:/i.test(source) ? images.get(contentId(source.slice(4))) : undefined;
  if (!image || !IMAGE_TYPES.test(image.mimeType)) return undefined;
  return `data:${image.mimeType};base64,${image.content.toString('base64')}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
