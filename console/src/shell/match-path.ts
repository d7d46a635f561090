/** The values of `:name` in the path of a view; null when the address is that of another one. */
export function matchPath(pattern: string, path: readonly string[]): Record<string, string> | null {
  const parts = pattern.split('/').filter(Boolean);
  if (parts.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = path[index]!;
    else if (part !== path[index]) return null;
  }
  return params;
}
