/** Turns Markdown that is written for readers of the repository into pages of the site. */
import { posix } from 'node:path';
import { pageOf } from './pages.mjs';

/**
 * Languages in which the same step is shown, with the names of their tabs. A reader chooses one for all pages. Blocks of
 * commands that differ by the reader's language have the name in the text: ```` ```sh [Python] ````.
 */
const TABS = { sh: 'curl', ts: 'TypeScript', python: 'Python', php: 'PHP' };

const FENCE = /^(`{3,})(\w*)(?: (?:\[(\w+)\]|(\S+)))?$/;
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;
/** Addresses of the service outside of the site. */
const SERVICE_ADDRESS = /^\/(docs(\/[\w/.-]*)?|openapi\.(json|yaml)|llms(-full)?\.txt)$/;

/** Splits Markdown into prose and code blocks, so that each can be changed without touching the other. */
function partsOf(markdown) {
  const parts = [];
  let prose = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const [, fence, language, variant, file] = FENCE.exec(lines[at]) ?? [];
    if (!fence) {
      prose.push(lines[at]);
      continue;
    }
    const end = lines.indexOf(fence, at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: a code block without an end`);
    parts.push({ prose: prose.join('\n') });
    prose = [];
    parts.push({
      language,
      label: variant ?? TABS[language],
      isVariant: variant !== undefined,
      file,
      text: lines.slice(at + 1, end).join('\n'),
    });
    at = end;
  }
  return [...parts, { prose: prose.join('\n') }];
}

/**
 * Adapts a file: code blocks that follow each other in several languages become tabs, links between files become links
 * between pages, paths of the service become links, and comments are left out.
 * @param file its path in the repository
 * @param exists whether a path of the repository exists
 * @throws Error for a link to a file that does not exist
 */
export function toPage(markdown, { file, exists }) {
  const parts = partsOf(markdown).map((part) =>
    part.prose === undefined
      ? part
      : { prose: linkServiceAddresses(rewriteLinks(withoutComments(part.prose), { file, exists })) },
  );
  return groupBlocks(parts);
}

/** The site would show them, because its pages must not contain HTML. */
const withoutComments = (prose) => prose.replaceAll(/\n*^<!-- .* -->$/gm, '');

/** A link to a file that no page shows becomes its text: the repository is not public. */
function rewriteLinks(prose, { file, exists }) {
  return prose.replaceAll(LINK, (link, image, text, target) => {
    if (/^([a-z]+:|#|\/)/.test(target)) return link;
    const [path, anchor] = target.split('#');
    const found = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '');
    if (!exists(found)) throw new Error(`${file}: a link to ${target}, which does not exist`);
    if (image) return `![${text}](/guides/${found.replace(/^docs\//, '')})`;
    const page = pageOf(found);
    if (page === null) return text;
    const [name, part = anchor] = page.split('#');
    return `[${withoutFileName(text, path)}](/guides/${name === 'index' ? '' : name}${part ? `#${part}` : ''})`;
  });
}

/** Readers of the site do not see files: `operations.md` becomes `operations`. */
const withoutFileName = (text, path) =>
  text === posix.basename(path) ? posix.basename(text, '.md').replaceAll('-', ' ') : text;

/** `/docs` in a text is an address of the service that serves the site. In the repository, such a link would be dead. */
function linkServiceAddresses(prose) {
  return prose.replaceAll(/(?<![[`])`(\/[^`\s]+)`(?!\]|`)/g, (code, path) =>
    SERVICE_ADDRESS.test(path) ? `[${code}](${path}){:target="_self"}` : code,
  );
}

function groupBlocks(parts) {
  const lines = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    if (part.prose !== undefined) {
      lines.push(part.prose);
      continue;
    }
    const group = [part];
    while (continues(group, parts[at + 1], parts[at + 2])) {
      group.push(parts[at + 2]);
      at += 2;
    }
    lines.push(group.length > 1 ? tabs(group) : single(part));
  }
  return lines.join('\n');
}

/** Whether only empty lines separate the same step in another language from the group before it. */
function continues(group, prose, block) {
  const isTab = ({ label, file }) => label !== undefined && !file;
  return (
    group.every(isTab) &&
    prose?.prose.trim() === '' &&
    block !== undefined &&
    isTab(block) &&
    group.every(({ label, isVariant }) => label !== block.label && isVariant === block.isVariant)
  );
}

const fenced = (info, text) => {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/^`+/gm)].map(([ticks]) => ticks.length + 1)));
  return `${fence}${info}\n${text}\n${fence}`;
};

/** The same code in several languages, as tabs. */
const tabs = (blocks) =>
  ['::: code-group', ...blocks.map(({ language, label, text }) => fenced(`${language} [${label}]`, text)), ':::'].join(
    '\n',
  );

const single = ({ language, file, text }) =>
  file ? `::: code-group\n${fenced(`${language} [${file}]`, text)}\n:::` : fenced(language, text);
