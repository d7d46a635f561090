/** A type as written in Stone: `List(Metadata)`, `common.SharedFolderId?`, `String(min_length=1)`. */
interface Named {
  readonly name: string;
  readonly argument: string;
  readonly isNullable: boolean;
}
interface Field extends Named {
  readonly isOptional: boolean;
}
interface Struct {
  readonly kind: 'struct';
  readonly parent: string | null;
  readonly fields: Map<string, Field>;
  /** The names of its subtypes in `.tag`. */
  readonly subtypes: Map<string, Named>;
}
interface Union {
  readonly kind: 'union';
  readonly parent: string | null;
  readonly isClosed: boolean;
  /** Null for a tag without a value. */
  readonly tags: Map<string, Named | null>;
}
interface Alias {
  readonly kind: 'alias';
  readonly type: Named;
}
export type Definition = Struct | Union | Alias;

export interface Route {
  readonly argument: Named;
  readonly result: Named;
  readonly error: Named;
  readonly attributes: ReadonlyMap<string, string>;
}

export interface Namespace {
  readonly name: string;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly routes: ReadonlyMap<string, Route>;
}

const TYPE = /^([\w.]+)(\((.*)\))?(\?)?$/;

/**
 * Parses a file in Stone, the language of Dropbox's own description: namespaces, aliases, structs with their subtypes, unions, and
 * routes with their attributes. Texts, examples, annotations, imports and patches are skipped.
 */
export function parseStone(text: string): Namespace {
  const definitions = new Map<string, Definition>();
  const routes = new Map<string, Route>();
  let name = '';
  let open: Struct | Union | null = null;
  let attributes = new Map<string, string>();
  let inner: 'subtypes' | 'attributes' | 'example' | null = null;
  for (const [depth, line] of linesOf(text)) {
    const [word = '', ...rest] = line.split(/\s+/);
    if (depth === 0) {
      [open, inner] = [null, null];
      if (word === 'namespace') name = rest[0]!;
      else if (word === 'alias')
        definitions.set(rest[0]!, { kind: 'alias', type: typeOf(line.split('=', 1)[0]!, line) });
      else if (word === 'route') {
        attributes = new Map();
        const [, path, version, types] = /^route ([\w/]+)(?::(\d+))? \((.*)\)/.exec(line)!;
        const [argument, result, error] = types!.split(', ').map((each) => named(each));
        const route = { argument: argument!, result: result!, error: error!, attributes };
        routes.set(version === undefined ? path! : `${path}_v${version}`, route);
      } else if (word === 'struct' || word.startsWith('union')) {
        const parent = rest[1] === 'extends' ? rest[2]! : null;
        open =
          word === 'struct'
            ? { kind: 'struct', parent, fields: new Map(), subtypes: new Map() }
            : { kind: 'union', parent, isClosed: word === 'union_closed', tags: new Map() };
        definitions.set(rest[0]!, open);
      }
    } else if (depth === 4) {
      inner = null;
      if (word === 'attrs') inner = 'attributes';
      else if (word === 'example') inner = 'example';
      else if (open?.kind === 'struct' && /^union(_closed)?\*?$/.test(line)) inner = 'subtypes';
      else if (open?.kind === 'struct') {
        const [type, standard] = rest.join(' ').split(/ = /);
        const field = named(type!);
        open.fields.set(word, { ...field, isOptional: field.isNullable || standard !== undefined });
      } else if (open?.kind === 'union') open.tags.set(word, rest[0] ? named(rest.join(' ')) : null);
    } else if (depth === 8 && inner === 'subtypes' && open?.kind === 'struct') {
      open.subtypes.set(word, named(rest[0]!));
    } else if (depth === 8 && inner === 'attributes') {
      const [, key, value] = /^(\w+) = "?([^"]*)"?$/.exec(line) ?? [];
      if (key !== undefined) attributes.set(key, value!);
    }
  }
  return { name, definitions, routes };
}

/** The non-empty lines with their indentation. Quoted texts may span several lines. */
function* linesOf(text: string): Generator<[number, string]> {
  let isText = false;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const wasText = isText;
    const quotes = line.replaceAll('\\"', '').split('"').length - 1;
    if (wasText || line.startsWith('"')) {
      if (quotes % 2 === 1) isText = !isText;
      continue;
    }
    if (line === '' || line.startsWith('#') || line.startsWith('@')) continue;
    yield [raw.length - raw.trimStart().length, line];
  }
}

function typeOf(left: string, line: string): Named {
  return named(line.slice(left.length + 1).trim());
}

function named(text: string): Named {
  const [, name, , argument = '', nullable] = TYPE.exec(text.trim()) ?? [];
  if (name === undefined) throw new Error(`This is no type in Stone: ${text}`);
  return { name, argument, isNullable: nullable !== undefined };
}
