// npm run integration:new -- [<id>] --openapi <file>: proposes the file of a provider from its OpenAPI description.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { parse, stringify } from 'yaml';
import { proposeManifest } from './propose-manifest.mjs';

const HEAD = `# yaml-language-server: $schema=../declarative/language/provider.schema.json
# Proposed from an OpenAPI description: compare every line with the documentation of the provider (docs/integrate/provider-language.md).
`;

/**
 * Writes the proposal.
 * @param id by default made from the title of the description
 * @returns its path
 * @throws Error in one sentence
 */
export async function propose(id, file) {
  let document;
  try {
    document = parse(readFileSync(file, 'utf8'), { maxAliasCount: 100 });
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error.message.split('\n')[0]}`, { cause: error });
  }
  const own = id ?? slug(String(document?.info?.title ?? ''));
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(own) || own.length > 64)
    throw new Error(
      'Usage: npm run integration:new -- <id> --openapi <file>, with an id like "acme", which is permanent.',
    );
  const to = `src/integrations/providers/${own}.yaml`;
  if (existsSync(to) || existsSync(`src/integrations/${own.replaceAll('_', '-')}`))
    throw new Error(`${own} already exists.`);
  const text = HEAD + stringify(proposeManifest(own, document), { aliasDuplicateObjects: false, lineWidth: 0 });
  writeFileSync(to, await format(text, { ...(await resolveConfig(to)), filepath: to }));
  return to;
}

const slug = (title) =>
  title
    .replace(/\s*\b(rest\s+)?api\b.*$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
