/** Writes the sources of the site: pages made of the repository's Markdown, of `openapi.json` and of the error texts. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { AUTHORIZED_IMAP_PRESETS } from '../../src/integrations/imap/authorized-presets.ts';
import { IMAP_HELP_STEPS } from '../../src/integrations/imap/preset-help-steps.ts';
import { IMAP_PRESETS } from '../../src/integrations/imap/presets.ts';
import { S3_PRESETS } from '../../src/integrations/s3/presets.ts';
import { WEBDAV_PRESETS } from '../../src/integrations/webdav/presets.ts';
import { filesAt, inRoot } from '../build/files.mjs';
import { apiPages } from './content/api-pages.mjs';
import { errorPage } from './content/error-page.mjs';
import { toPage } from './content/markdown.mjs';
import { SECTIONS } from './content/pages.mjs';
import { presetPage } from './content/preset-page.mjs';
import { providerPages } from './content/provider-pages.mjs';

/** The root of the generator: its configuration, and the pages below `guides/`. */
export const STAGE = inRoot('dist/.docs-site');
const HERE = inRoot('tools/docs-site');
const read = (file) => readFileSync(inRoot(file), 'utf8');

/** Everything that the site is made of; `dev.mjs` watches it. */
export const SOURCES = [
  ...[
    'docs',
    'sdk/typescript/README.md',
    'sdk/cli/README.md',
    'sdk/python/README.md',
    'sdk/go/README.md',
    'sdk/java/README.md',
    'sdk/php/README.md',
    'connect/README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'openapi.json',
    'i18n/en',
  ],
  'src/integrations/providers',
];
const MAIL_PROVIDERS = [...IMAP_PRESETS, ...AUTHORIZED_IMAP_PRESETS].map((preset) => ({
  ...preset,
  helpSteps: IMAP_HELP_STEPS[preset.id],
}));
const PRESETS = { imap: MAIL_PROVIDERS, webdav: WEBDAV_PRESETS, s3: S3_PRESETS };
/** The schema of the files of providers, for editors. */
const PROVIDER_SCHEMA = 'src/integrations/declarative/language/provider.schema.json';

/**
 * Writes all sources, and `site.json`: the navigation, for the configuration and for llms.txt.
 * @throws Error for a link to a file that does not exist
 */
export function stage() {
  const sections = [
    ...SECTIONS.map(({ title, pages }) => ({ title, pages: pages.map(writtenPage) })),
    { title: 'Providers', pages: [presetPage(PRESETS), ...providerPages(providerFiles())].map(generatedPage) },
    { title: 'API reference', pages: apiPages(JSON.parse(read('openapi.json'))).map(generatedPage) },
    {
      title: 'Reference',
      pages: [
        generatedPage({ path: 'errors', title: 'Errors', markdown: errorPage() }),
        generatedPage({ path: 'examples', title: 'Examples', markdown: examplePage() }),
      ],
    },
  ];
  const wanted = new Map(
    sections.flatMap(({ pages }) => pages).map((page) => [`guides/${page.path}.md`, page.markdown]),
  );
  wanted.set('.vitepress/config.mjs', `export { default } from ${JSON.stringify(join(HERE, 'config.mjs'))};\n`);
  wanted.set(
    '.vitepress/theme/index.mjs',
    `export { default } from ${JSON.stringify(join(HERE, 'theme/index.mjs'))};\n`,
  );
  wanted.set('site.json', JSON.stringify(sections.map(withoutMarkdown), null, 2));
  for (const [path, text] of wanted) writeIfChanged(join(STAGE, path), text);
  removeOthers(wanted);
  cpSync(inRoot('docs/pictures'), join(STAGE, 'public/guides/pictures'), { recursive: true });
  cpSync(inRoot(PROVIDER_SCHEMA), join(STAGE, 'public/guides/provider.schema.json'));
  cpSync(inRoot('ui/src/icon.svg'), join(STAGE, 'public/guides/icon.svg'));
  return sections;
}

/** The text of every provider's file by its name. */
const providerFiles = () =>
  Object.fromEntries(
    filesAt('src/integrations/providers')
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => [file, read(file)]),
  );

const withoutMarkdown = ({ title, pages }) => ({
  title,
  pages: pages.map(({ path, title: name, description }) => ({ path, title: name, description })),
});

function writtenPage({ file, path, title }) {
  const markdown = toPage(read(file), { file, exists: (found) => existsSync(inRoot(found)) });
  return { path, title: title ?? headingOf(markdown), description: descriptionOf(markdown), markdown };
}

function generatedPage({ path, title, markdown }) {
  const page = toPage(markdown, { file: 'generated', exists: () => false });
  return { path, title, description: descriptionOf(page), markdown: page };
}

const EXAMPLE_LANGUAGES = { '.mjs': 'js', '.py': 'py', '.php': 'php' };

/** The programs of `docs/examples`, which the service also serves as files. */
function examplePage() {
  const programs = readdirSync(inRoot('docs/examples')).map((name) => {
    const text = read(`docs/examples/${name}`).trimEnd();
    const language = EXAMPLE_LANGUAGES[extname(name)];
    return `## ${name}\n\nAs a file: \`/docs/examples/${name}\`\n\n\`\`\`${language}\n${text}\n\`\`\``;
  });
  return ['# Examples', 'Complete programs, each a single file that you can copy.', ...programs, ''].join('\n\n');
}

const headingOf = (markdown) => /^# (.+)$/m.exec(markdown)[1];

/** The first sentence of a page, without markup. */
function descriptionOf(markdown) {
  const paragraph = markdown.split(/\n\n+/).find((text) => /^[A-Z]/.test(text)) ?? '';
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)(\{[^}]*\})?/g, '$1').replaceAll(/[*`]/g, '');
  return plain
    .replaceAll('\n', ' ')
    .replace(/^(.+?[.:])(\s.*)?$/s, '$1')
    .replace(/:$/, '.');
}

/** An unchanged file keeps its time, so that a running development server reloads only what has changed. */
function writeIfChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function removeOthers(wanted) {
  for (const file of filesAt('dist/.docs-site/guides')) {
    const path = file.replace('dist/.docs-site/', '');
    if (!wanted.has(path)) rmSync(inRoot(file));
  }
}
