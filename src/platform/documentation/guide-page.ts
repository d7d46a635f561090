import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { max-width: 50rem; margin: 0 auto; padding: 2.5rem 1.25rem 6rem; overflow-wrap: break-word; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; font-size: .9rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 1.5rem 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.75rem 0 .5rem; scroll-margin-top: 1rem; }
h3 { font-size: 1rem; margin: 2rem 0 .5rem; scroll-margin-top: 1rem; }
code { font: .9em/1.5 ui-monospace, monospace; }
:not(pre) > code { background: #8882; border-radius: .25rem; padding: .1em .3em; }
pre { background: #8881; border: 1px solid #8883; border-radius: .4rem; padding: .8rem 1rem; overflow-x: auto; margin: .75rem 0; }
pre.answer { background: none; border-style: dashed; }
figure { margin: 0; }
figcaption { font: .85em ui-monospace, monospace; opacity: .7; margin: 1rem 0 -.5rem; }
blockquote { margin: 1rem 0; padding: 0 1rem; border-left: 3px solid #8886; opacity: .8; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .94rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem 1.2rem .4rem 0; border-bottom: 1px solid #8883; }
`;

/** The pages load nothing but their own style sheet: no script, no font, no image. */
export const GUIDE_POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  `frame-ancestors 'none'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

/** A guide as a page. `content` is HTML. */
export function guidePage(title: string, content: string): string {
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Docfetch</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body>`,
    '<nav><a href="/docs/guides">Guides</a><a href="/docs">API</a><a href="/docs/errors">Errors</a>',
    '<a href="/openapi.json">openapi.json</a></nav>',
    `<main>${content}</main></body></html>`,
  ].join('\n');
}
