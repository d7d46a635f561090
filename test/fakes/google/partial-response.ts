type Selection = Map<string, Selection | null>;

/** Reduces a resource to the parameter `fields` (Google's "Partial responses"). Null when the parameter is invalid. */
export function select(resource: unknown, fields: string): unknown {
  const [selection, rest] = read(fields);
  return rest === '' && selection ? pick(resource, selection) : null;
}

function pick(resource: unknown, selection: Selection): unknown {
  if (Array.isArray(resource)) return resource.map((item) => pick(item, selection));
  if (typeof resource !== 'object' || resource === null) return resource;
  const entries = Object.entries(resource).flatMap(([name, value]) => {
    const below = selection.get(name);
    if (below === undefined) return [];
    return [[name, below === null ? value : pick(value, below)]];
  });
  return Object.fromEntries(entries);
}

function read(text: string): [Selection | null, string] {
  const selection: Selection = new Map();
  for (let rest = text; ;) {
    const name = /^[A-Za-z]\w*/.exec(rest)?.[0];
    if (!name) return [null, rest];
    rest = rest.slice(name.length);
    if (rest.startsWith('(')) {
      const [below, after] = read(rest.slice(1));
      if (!below || !after.startsWith(')')) return [null, after];
      selection.set(name, below);
      rest = after.slice(1);
    } else selection.set(name, null);
    if (!rest.startsWith(',')) return [selection, rest];
    rest = rest.slice(1);
  }
}
