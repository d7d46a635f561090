import type { Request } from 'express';
import { METHODS } from 'node:http';

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods of the routes of a request's path, in upper case, with the implied HEAD and OPTIONS; empty for an unknown path. */
export function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as unknown as { router: { stack: readonly Layer[] } }).router;
  const found = new Set<string>();
  for (const layer of stack) {
    // Middleware matches every method including CONNECT; endpoints do not.
    if (!layer.route || layer.route.methods.connect || !layer.match(request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) found.add(method.toUpperCase());
  }
  if (found.size === 0) return [];
  if (found.has('GET')) found.add('HEAD');
  found.add('OPTIONS');
  return METHODS.filter((method) => found.has(method));
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
