import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../../..');
/** Inside the repository, so that the build finds its packages; ignored by git like all of `node_modules`. */
const CACHE = join(ROOT, 'node_modules/.cache/docfetch-test');
export const SOURCES = ['src', 'migrations', 'i18n', 'docs'];
const OPTIONS_FILE = join(ROOT, 'tsconfig.json');

/**
 * Compiles sources, by default the current ones, to JavaScript for tests that need separate processes; returns the folder that
 * replaces `dist`. Each file is transpiled without type check, which takes a second or two, and the result is kept until a
 * source changes. The packages are those of this repository.
 */
export async function builtService(root = ROOT): Promise<string> {
  const sources = (await Promise.all(SOURCES.map((folder) => filesBelow(join(root, folder))))).flat();
  const contents = await Promise.all(
    sources.map(async (path) => ({ path: relative(root, path), bytes: await readFile(path) })),
  );
  const hash = createHash('sha256').update(await readFile(OPTIONS_FILE));
  for (const { path, bytes } of contents) hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  const folder = join(CACHE, hash.digest('hex').slice(0, 16));
  if (await exists(folder)) return folder;

  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, 'unfinished-'));
  const { config } = ts.readConfigFile(OPTIONS_FILE, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  for (const { path, bytes } of contents) {
    const target = join(unfinished, path);
    await mkdir(dirname(target), { recursive: true });
    if (!path.endsWith('.ts')) {
      await cp(join(root, path), target);
    } else if (!/\.(long-)?spec\.ts$/.test(path) && !path.endsWith('.d.ts')) {
      const fileName = join(root, path);
      const { outputText } = ts.transpileModule(bytes.toString('utf8'), { compilerOptions: options, fileName });
      await writeFile(target.replace(/\.ts$/, '.js'), outputText);
    }
  }
  try {
    await rename(unfinished, folder);
    await removeOlder(folder);
  } catch (error) {
    // Another test file has created the same build first.
    if (!(await exists(folder))) throw error;
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Deletes builds of older sources. */
async function removeOlder(current: string): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name);
    const age = Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? Date.now());
    if (path !== current && age > 3_600_000) await rm(path, { recursive: true, force: true });
  }
}
