import { Marked, type Tokens } from 'marked';

/** What a block shows: the answer to the commands above it. */
const ANSWERS = ['json', 'text'];

/** The HTML of a guide written in Markdown, and its title, which is its first heading. The text is our own: nothing is filtered. */
export function renderGuide(markdown: string): { title: string; content: string } {
  const heading = marked.lexer(markdown).find((token): token is Tokens.Heading => token.type === 'heading');
  return { title: escape(heading?.text ?? ''), content: marked.parse(markdown, { async: false }) };
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escape(addressOf(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    code({ text, lang }) {
      const [language = '', file] = (lang ?? '').split(' ');
      const block = `<pre${ANSWERS.includes(language) ? ' class="answer"' : ''}><code>${escape(text)}\n</code></pre>\n`;
      return file ? `<figure><figcaption>${escape(file)}</figcaption>${block}</figure>\n` : block;
    },
    // `/docs/errors` in a text leads there; as a link it would lead nowhere where the guide is read as a file.
    codespan({ text }) {
      const code = `<code>${escape(text)}</code>`;
      return /^\/(docs\b|openapi\.json$)/.test(text) ? `<a href="${escape(text)}">${code}</a>` : code;
    },
    table(token) {
      const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>\n`;
      const rows = token.rows.map((cells) => row(cells, 'td')).join('');
      return `<div class="table"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
    },
  },
});

/** Where a link between files leads when they are served. */
export function addressOf(href: string): string {
  const [, guide, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (guide) return `/docs/guides/${guide}${anchor}`;
  return href.replace(/^\.\.\/examples\//, '/docs/examples/');
}

/** As GitHub makes it, so that links to it work in both places. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
