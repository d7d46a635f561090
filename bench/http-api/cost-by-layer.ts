import type { Profiler } from 'node:inspector';
import type { Child } from '../harness/processes/child';
import type { LoadRate } from './wrk';

const library = (...names: string[]) => `/node_modules/(${names.join('|')})/`;
const own = (...paths: string[]) => `/dist/src/(${paths.join('|')})`;

const GARBAGE_COLLECTION = 'garbage collection';
const OTHERS = 'Node: HTTP, sockets, promises';

/** The layers of a request, each with the files of its functions. Of several that match, the first one counts. */
const LAYERS: readonly (readonly [name: string, files: RegExp])[] = (
  [
    [
      'log',
      [own('platform/http/logging/log'), library('pino', 'pino-[^/]+', '@pino[^/]+', 'sonic-boom', 'nestjs-pino')],
    ],
    ['request id', [own('platform/http/logging/request-id')]],
    ['security headers', [own('platform/http/headers/security-headers', 'bootstrap/http'), library('helmet')]],
    ['caching and language headers', [own('platform/http/headers/response-headers'), library('vary')]],
    ['language and unit of work', [own('platform/i18n', 'platform/request'), library('nestjs-i18n')]],
    ['compression', [own('platform/http/headers/compress'), library('compression', 'on-headers', 'negotiator')]],
    ['metrics', [own('platform/observability', 'platform/metrics'), library('prom-client')]],
    ['cross-origin', [own('auth/cross-origin')]],
    ['authentication', [own('auth/')]],
    ['rate limits', [own('platform/rate-limit', 'auth/guards/caller-rate-limit'), library('@nestjs/throttler')]],
    ['access to the resource', [own('platform/http/access', 'connections/access')]],
    ['body and parameters', [own('platform/http/input'), library('class-validator', 'class-transformer', 'raw-body')]],
    ['unit of work and SQL builder', [library('@mikro-orm/[^/]+', 'kysely')]],
    ['database driver', [own('platform/(database|buffers)'), library('pg', 'pg-[^/]+', 'postgres-[^/]+')]],
    ['use case and view', [own('')]],
    ['Nest', [library('@nestjs/[^/]+', 'rxjs', 'reflect-metadata')]],
    ['Express', ['/node_modules/']],
    [GARBAGE_COLLECTION, ['^$']],
    [OTHERS, ['^$']],
  ] as const
).map(([name, files]) => [name, new RegExp(files.join('|'))]);

/** Microseconds of processor time per request by layer. */
export type LayerCosts = ReadonlyMap<string, number>;

/**
 * Profiles a process that has loaded `profile-on-command`, under load. A sample belongs to the innermost function that is part of a layer: a header that our code
 * sets counts as ours, although Node's code sets it.
 */
export async function costByLayer(child: Child, load: () => Promise<LoadRate>): Promise<LayerCosts> {
  await load();
  await child.ask({ profile: true });
  const { cpu } = await load();
  const samples = samplesByLayer(await child.ask<Profiler.Profile>({ profile: false }));
  const all = [...samples.values()].reduce((sum, count) => sum + count, 0);
  return new Map([...samples].map(([name, count]) => [name, (count / all) * cpu]));
}

function samplesByLayer({ nodes, samples = [] }: Profiler.Profile): Map<string, number> {
  const layers = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node: Profiler.ProfileNode, around: string): void => {
    const layer = layerOf(node.callFrame) ?? around;
    layers.set(node.id, layer);
    for (const child of node.children ?? []) visit(byId.get(child)!, layer);
  };
  visit(nodes[0]!, OTHERS);
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
  const counts = new Map(LAYERS.map(([name]) => [name, 0]));
  for (const id of samples) {
    if (idle.has(id)) continue;
    const layer = layers.get(id)!;
    counts.set(layer, counts.get(layer)! + 1);
  }
  return counts;
}

/** Null for Node's own code: it belongs to its caller. */
function layerOf({ url, functionName }: Profiler.ProfileNode['callFrame']): string | null {
  if (functionName === '(garbage collector)') return GARBAGE_COLLECTION;
  if (url === '' || url.startsWith('node:')) return null;
  return LAYERS.find(([, files]) => files.test(url))?.[0] ?? null;
}
