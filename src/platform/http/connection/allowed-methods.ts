import type { Request } from 'express';
import { METHODS } from 'node:http';

interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods of the routes of a request's path, in upper case, with the implied HEAD and OPTIONS; empty for an unknown path. */
export function allowedMethods(request: Request): string[] {
  const matching = endpoints(request).filter((layer) => layer.match(request.path));
  // `/v1/connections/migrate` is not a `/v1/connections/{uuid}`.
  const literal = matching.filter(({ route }) => route!.path === request.path);
  const found = methodsOf(literal.length > 0 ? literal : matching);
  if (found.size === 0) return [];
  if (found.has('GET')) found.add('HEAD');
  found.add('OPTIONS');
  return METHODS.filter((method) => found.has(method));
}

/** Whether a path without parameters has only other methods: a route with a parameter in its place must not take the request. */
export function hasOnlyOtherMethods(request: Request): boolean {
  const methods = methodsOf(endpoints(request).filter(({ route }) => route!.path === request.path));
  return methods.size > 0 && !methods.has(request.method === 'HEAD' ? 'GET' : request.method);
}

/** The layers of endpoints. Middleware matches every method including CONNECT; endpoints do not. */
function endpoints(request: Request): Layer[] {
  const { stack } = (request.app as unknown as { router: { stack: readonly Layer[] } }).router;
  return stack.filter(({ route }) => route && !route.methods.connect);
}

function methodsOf(layers: readonly Layer[]): Set<string> {
  return new Set(layers.flatMap(({ route }) => Object.keys(route!.methods).map((method) => method.toUpperCase())));
}

/** False for invalid percent-encoding (RFC 3986 2.1): no route can match such a path. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
