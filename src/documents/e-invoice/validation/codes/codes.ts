/** The codes of a list, written with white space between them. */
export function codes(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

export function extended(list: ReadonlySet<string>, further: Iterable<string>): ReadonlySet<string> {
  return new Set([...list, ...further]);
}
