const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** CSS of the ANSI styles that the demo uses (ECMA-48, "Select Graphic Rendition"); 0 and the codes that end a style reset it. */
const STYLES = { 1: 'font-weight:700', 2: 'opacity:.6', 31: 'color:#ff7b72', 32: 'color:#7ee787', 33: 'color:#e3b341' };

/** A page that shows a command and the lines it has printed, ANSI colors included, as a terminal window. */
export function terminalPage(command, lines) {
  const text = lines.join('\n').trim();
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; padding: 20px; background: #fff }
    pre { margin: 0; padding: 18px 22px; border-radius: 10px; background: #0d1117; color: #e6edf3;
          font: 13px/1.5 "DejaVu Sans Mono", Menlo, Consolas, monospace }
    pre b { color: #79c0ff }
  </style><pre><b>$</b> ${escapeHtml(command)}\n${toHtml(text)}</pre>`;
}

function toHtml(text) {
  let open = 0;
  const html = escapeHtml(text).replaceAll(/\p{Cc}\[([\d;]*)m/gu, (_, codes) => {
    const styles = codes
      .split(';')
      .map((code) => STYLES[code])
      .filter(Boolean);
    const closing = '</span>'.repeat(open);
    open = styles.length > 0 ? 1 : 0;
    return closing + (open ? `<span style="${styles.join(';')}">` : '');
  });
  return html + '</span>'.repeat(open);
}

function escapeHtml(text) {
  return text.replaceAll(/[&<>]/g, (character) => ESCAPES[character]);
}
