import { Marked, type Tokens } from 'marked';

/** Languages of code blocks that show a response, not a command. */
const ANSWERS = ['json', 'text'];

/** The HTML and the title (the first heading) of a guide in Markdown. The source is trusted, so the HTML is not sanitized. */
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
    // A path such as `/docs/errors` becomes a link here; in the Markdown file a link would be broken.
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

/** The URL of a link between files, as served. */
export function addressOf(href: string): string {
  const [, guide, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (guide) return `/docs/guides/${guide}${anchor}`;
  return href.replace(/^\.\.\/examples\//, '/docs/examples/');
}

/** The anchor that GitHub generates, so that links work in both places. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
