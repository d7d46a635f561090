/** Writes the site for language models: `llms.txt` lists the pages, `llms-full.txt` contains them, and each page exists as Markdown. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SUMMARY =
  'Docfetch fetches the invoices and other documents of your customers from their mailboxes, cloud storage, accounting tools and portals, and delivers each of them, with its metadata, to your backend.';

export function writeLlmsTexts(folder, sections) {
  const pages = sections.flatMap((section) => section.pages);
  for (const { path, markdown } of pages) {
    const file = join(folder, 'guides', `${path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, plainMarkdown(markdown));
  }
  const list = sections.map(
    ({ title, pages: all }) =>
      `## ${title}\n\n${all.map((page) => `- [${page.title}](/guides/${page.path}.md): ${page.description}`).join('\n')}`,
  );
  const api = '## OpenAPI\n\n- [openapi.json](/openapi.json): the API as OpenAPI 3.1';
  writeFileSync(join(folder, 'llms.txt'), `${['# Docfetch', `> ${SUMMARY}`, ...list, api].join('\n\n')}\n`);
  writeFileSync(join(folder, 'llms-full.txt'), pages.map(({ markdown }) => plainMarkdown(markdown)).join('\n\n'));
}

/** Without the syntax of the site: groups of tabs and attributes of links and headings. */
const plainMarkdown = (markdown) =>
  markdown
    .replaceAll(/^::: code-group\n|^:::$\n?/gm, '')
    .replaceAll(/^(```\w+) \[([^\]]+)\]$/gm, '$1 $2')
    .replaceAll(/ ?\{:[^}]*\}/g, '');
