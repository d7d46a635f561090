import { extname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';

const EXTENSION = extname(__filename);

// Tests run the sources: Node strips the types itself, and this lets it find `./name` as `./name.ts`. What it has stripped and compiled
// it keeps, as nearly all of the second of processor time that a thread takes to start is spent on it.
const FIND_SOURCES = `import { enableCompileCache, registerHooks } from 'node:module';
enableCompileCache();
registerHooks({ resolve(name, context, next) {
  try { return next(name, context); } catch (error) { if (name[0] !== '.') throw error; return next(name + '.ts', context); }
} });`;
const SOURCE_OPTIONS = [
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
  `--import=data:text/javascript,${encodeURIComponent(FIND_SOURCES)}`,
];

/** Starts a thread with an empty environment. `entry` is the path of its module, without extension. */
export function startThread(entry: string, name: string, resourceLimits: ResourceLimits): Worker {
  return new Worker(entry + EXTENSION, {
    ...(EXTENSION === '.ts' && { execArgv: [...process.execArgv, ...SOURCE_OPTIONS] }),
    resourceLimits,
    env: {},
    name,
  });
}
