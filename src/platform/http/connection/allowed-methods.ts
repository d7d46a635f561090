import type { Request } from 'express';
import { METHODS } from 'node:http';

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods that the path of a request has routes for, in capitals and with what follows from them; none for an unknown path. */
export function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as unknown as { router: { stack: readonly Layer[] } }).router;
  const found = new Set<string>();
  for (const layer of stack) {
    // Middleware answers every method, CONNECT included; no endpoint does.
    if (!layer.route || layer.route.methods.connect || !layer.match(request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) found.add(method.toUpperCase());
  }
  if (found.size === 0) return [];
  if (found.has('GET')) found.add('HEAD');
  found.add('OPTIONS');
  return METHODS.filter((method) => found.has(method));
}

/** Broken percent-encoding (RFC 3986 2.1): there can be nothing at such an address. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
