/** Places where lines break in the cells of tables: `<br>`, and after the parts of a long name in code. */

/** A plugin of markdown-it. The HTML of a page is not interpreted, and a cell cannot contain a line break of Markdown. */
export function lineBreaks(markdown) {
  markdown.inline.ruler.before('autolink', 'line_break', (state, silent) => {
    if (!state.src.startsWith('<br>', state.pos)) return false;
    if (!silent) state.push('hardbreak', 'br', 0);
    state.pos += '<br>'.length;
    return true;
  });
  const render = markdown.renderer.rules.code_inline;
  markdown.renderer.rules.code_inline = (...rest) =>
    render(...rest).replace(/>([^<]*)<\/code>/, (_, text) => `>${withBreaks(text)}</code>`);
}

/** After an underscore, comma, slash or other sign within a name. Entities such as `&quot;` are part of the text. */
const NAME_END = /(?<=[\w;}>…][_,/=@]|\S&amp;)(?=[\w{&…])/g;
/** Shorter names break on narrow screens only. */
const LONG_NAME = 16;

const withBreaks = (text) =>
  text.replaceAll(NAME_END, text.length < LONG_NAME ? '<wbr class="in-short-name">' : '<wbr>');
