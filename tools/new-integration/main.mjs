// npm run integration:new -- <id> [name]: generates a working connector of a fictitious provider, to be changed into a real one.
// With --openapi <file>, it proposes the file of a provider from its description instead (propose.mjs).
import console from 'node:console';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { format, resolveConfig } from 'prettier';
import { propose } from './propose.mjs';

const words = process.argv.slice(2);
const option = words.indexOf('--openapi');
if (option >= 0) {
  const [file, ...more] = words.splice(option).slice(1);
  if (file === undefined || more.length > 0 || words.length > 1)
    fail('Usage: npm run integration:new -- [<id>] --openapi <file>');
  const path = await propose(words[0], file).catch((error) => fail(error.message));
  console.log(`made    ${path}`);
  console.log(
    '\nCompare every line with the documentation of the provider (docs/integrate/provider-language.md). Then:',
  );
  console.log(`  npm run cli -- provider check ${path}`);
  process.exit(0);
}

const TEMPLATE = join(import.meta.dirname, 'template');
const REGISTRY = 'src/integrations/integration-registry.ts';
const TEST_SERVERS = 'test/contract/test-servers.ts';

const [id = '', name = id.split('_').map(capital).join(' ')] = words;
if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(id) || id.length > 64) {
  fail('Usage: npm run integration:new -- <id> [name], with an id like "acme" or "acme_drive", which is permanent.');
}
if (/['\\\n`<>&$]/.test(name))
  fail('The name must not contain quotes and markup, because it is used in source code and in a logo.');

const camel = id.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const names = { id, folder: id.replaceAll('_', '-'), camel, Pascal: capital(camel), Name: name };
const fill = (text) => text.replace(/__(\w+?)__/g, (all, word) => names[word] ?? all);

const files = readdirSync(TEMPLATE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((from) => ({ from, to: fill(relative(TEMPLATE, from)).replace(/\.template$/, '') }));
const taken = files.find(({ to }) => existsSync(to));
if (taken || existsSync(join('src/integrations', names.folder)) || existsSync(`src/integrations/providers/${id}.yaml`))
  fail(`${names.folder} already exists.`);

const registry = insert(readFileSync(REGISTRY, 'utf8'), [
  [
    /^import \{ \w+ \} from '\.\/([\w-]+)\/[\w-]+';$/,
    names.folder,
    fill(`import { __camel__ } from './__folder__/__folder__';`),
  ],
  [/^ {2}(\w+),$/, camel, `  ${camel},`],
]);
const testServers = insert(readFileSync(TEST_SERVERS, 'utf8'), [
  [
    /^import .* from '\.\/([\w-]+)';$/,
    fill('__folder__-server'),
    fill(`import { __camel__ } from './__folder__-server';`),
  ],
  [/^ {2}(\w+)(?:: \w+)?,$/, id, fill('  __id__: __camel__,')],
]);

for (const { from, to } of files) {
  mkdirSync(dirname(to), { recursive: true });
  const text = fill(readFileSync(from, 'utf8'));
  // Line breaks depend on the length of the name.
  writeFileSync(to, to.endsWith('.ts') ? await format(text, { ...(await resolveConfig(to)), filepath: to }) : text);
}
writeFileSync(REGISTRY, registry);
writeFileSync(TEST_SERVERS, testServers);
console.log([...files.map(({ to }) => `made    ${to}`), `changed ${REGISTRY}`, `changed ${TEST_SERVERS}`].join('\n'));
console.log(fill('\nReplace the fictitious parts as described in CONTRIBUTING.md, "Add an integration". Then:'));
console.log(fill('  a line in test/crash/campaigns/filled-providers.ts, and'));
console.log(fill('  npm test -- src/integrations/__folder__ test/contract && npm run lint'));

/** Inserts lines into the first list of similar lines, in alphabetical order. */
function insert(text, additions) {
  const lines = text.split('\n');
  for (const [alike, own, addition] of additions) {
    const end = lines.findIndex((line) => /^[\]}];$/.test(line));
    const found = lines.slice(0, end).flatMap((line, at) => {
      const match = alike.exec(line);
      return match ? [{ at, name: match[1] }] : [];
    });
    if (found.length === 0) fail(`No place for "${addition}".`);
    const before = found.filter(({ name: other }) => other < own).at(-1);
    lines.splice(before ? before.at + 1 : found[0].at, 0, addition);
  }
  return lines.join('\n');
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
