/** The configuration of VitePress. The build copies nothing inline into pages that the content security policy would forbid. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { defineConfig } from 'vitepress';
import { codeTheme, tokenClasses } from './code-theme.mjs';
import { anchorOf } from './content/pages.mjs';
import { lineBreaks } from './line-breaks.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const sections = JSON.parse(readFileSync(join(ROOT, 'dist/.docs-site/site.json'), 'utf8'));
const descriptions = new Map(
  sections.flatMap(({ pages }) => pages).map(({ path, description }) => [`guides/${path}.md`, description]),
);
const address = (path) => `/guides/${path === 'index' ? '' : path}`;
const sidebar = sections.map(({ title, pages }) => ({
  text: title,
  items: pages.map(({ path, title: text }) => ({ text, link: address(path) })),
}));

/** A style sheet for icons of other sites, which is empty. */
const ICONS = /<link [^>]*href="\/vp-icons\.css"[^>]*>\s*/;

/** Without colors of code, which the search does not need. */
function renderForSearch(source, env, markdown) {
  const { highlight } = markdown.options;
  markdown.options.highlight = null;
  try {
    return markdown.render(source, env);
  } finally {
    markdown.options.highlight = highlight;
  }
}

export default defineConfig({
  title: 'Docfetch',
  titleTemplate: ':title · Docfetch',
  description: 'Fetches the documents of your customers and delivers them to your backend.',
  lang: 'en',
  cleanUrls: true,
  // The page for unknown addresses links the start of the language.
  locales: { root: { label: 'English', link: '/guides/' } },
  outDir: join(ROOT, 'dist/site'),
  assetsDir: 'guides/assets',
  cacheDir: join(ROOT, 'node_modules/.cache/vitepress'),
  // Addresses of the service that serves the site.
  ignoreDeadLinks: [/^\/(docs|openapi\.|llms)/],
  vite: { logLevel: 'error', build: { chunkSizeWarningLimit: 5_000 } },
  head: [['link', { rel: 'icon', href: '/guides/icon.svg', type: 'image/svg+xml' }]],
  router: { prefetchLinks: false },
  // The content security policy forbids inline styles. The last one has no effect before a menu is opened, which then sets it.
  contentProps: { class: 'page-content' },
  appearance: { disableTransition: false },
  transformHtml: (html) => html.replaceAll(' style="--vp-vh:0px;"', '').replace(ICONS, ''),
  transformPageData: ({ relativePath }) => ({ description: descriptions.get(relativePath) ?? '' }),
  markdown: {
    html: false,
    theme: codeTheme,
    codeTransformers: [tokenClasses],
    anchor: { slugify: anchorOf },
    // Braces in the texts of the API are not attributes.
    attrs: { leftDelimiter: '{:' },
    config: (markdown) => lineBreaks(markdown),
  },
  themeConfig: {
    logo: '/guides/icon.svg',
    logoLink: '/guides/',
    nav: [
      { text: 'Guides', link: '/guides/quick-start' },
      { text: 'API', link: '/guides/api/connections', activeMatch: '^/guides/api/' },
      { text: 'Errors', link: '/guides/errors' },
      { text: 'Changelog', link: '/guides/changelog' },
      { text: 'Try the API', link: '/docs', target: '_self' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { _render: renderForSearch } },
    notFound: {
      quote: 'The search finds all other pages.',
      linkText: 'To the overview',
      linkLabel: 'To the overview',
    },
  },
});
