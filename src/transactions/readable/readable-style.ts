import { createHash } from 'node:crypto';

/** The style sheet of the page: for screens from 320 px on, in both color schemes, and for print. */
export const READABLE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: light-dark(#c9ced6, #4a505a); --soft: light-dark(#f3f5f8, #23272e); --quiet: light-dark(#4c5564, #b3bac6); --page: light-dark(#fff, #16181c); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: light-dark(#14181f, #eceff4); }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 .6rem; }
section { margin-top: 2.25rem; }
.origin { color: var(--quiet); margin: .5rem 0 0; overflow-wrap: anywhere; }
.due { font-size: 1.15rem; margin: 1rem 0 0; }
.due strong { font-variant-numeric: tabular-nums; }
.verdict { margin: 1.25rem 0 0; padding: .75rem 1rem; border-left: 4px solid light-dark(#1b7a43, #58c98a); background: var(--soft); }
.verdict.bad { border-color: light-dark(#b3261e, #ff8a80); }
.verdict.warned { border-color: light-dark(#8a5a00, #f2b84b); }
.groups { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); column-gap: 2.5rem; }
dl { display: grid; grid-template-columns: 10.5rem 1fr; gap: .3rem 1rem; margin: 0; }
dt { color: var(--quiet); overflow-wrap: anywhere; hyphens: auto; }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
.scroll { overflow-x: auto; background: linear-gradient(to left, var(--page) 30%, transparent) right / 2.5rem 100% no-repeat local, linear-gradient(to left, var(--line), transparent) right / 1.25rem 100% no-repeat scroll; }
.scroll:focus-visible { outline: 3px solid light-dark(#1a5fd0, #8ab4ff); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; }
caption { text-align: left; font-size: 1.1rem; font-weight: 700; padding: 0 0 .6rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-weight: 600; border-bottom-width: 2px; overflow-wrap: normal; }
th[scope=row] { font-weight: 600; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
th:last-child, td:last-child { padding-right: 0; }
td .more { margin-top: .35rem; font-size: .9rem; font-weight: 400; grid-template-columns: 9rem 1fr; }
.wide { min-width: 44rem; }
.sub { padding-left: 1.25rem; }
.totals { max-width: 30rem; margin-left: auto; }
.totals tr:last-child > * { border-bottom: 0; font-size: 1.1rem; font-weight: 700; }
.note { white-space: pre-line; overflow-wrap: anywhere; margin: 0 0 1rem; }
@media (max-width: 30rem) { dl, td .more { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
@media print {
  :root { color-scheme: light; font-size: 10pt; }
  main { max-width: none; padding: 0; }
  .scroll { overflow: visible; background: none; }
  .wide { min-width: 0; }
  tr, .note { break-inside: avoid; }
  h2, caption { break-after: avoid; }
}
`;

/** The source expression that allows this style sheet, for the policies of pages that show it. */
export const READABLE_STYLE_SOURCE = `'sha256-${createHash('sha256').update(READABLE_STYLE).digest('base64')}'`;

/** Nothing but the style sheet: no script, no resource, no form, no frame. */
export const READABLE_POLICY = [
  `default-src 'none'`,
  `style-src ${READABLE_STYLE_SOURCE}`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');
