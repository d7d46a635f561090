import { readFileSync } from 'node:fs';
import { findDescription } from '../openapi-validator';
import { type Definition, type Namespace, parseStone } from './stone-parser';

interface DropboxExchange {
  /** The arguments, from the body or from `Dropbox-API-Arg`. */
  readonly argument: unknown;
  readonly status: number;
  /** The JSON of the response, from the body or from `Dropbox-API-Result`. */
  readonly answer: unknown;
  readonly host: 'api' | 'content';
  readonly scopes: readonly string[];
}

const parsed = new Map<string, Namespace>();

/** The part of Dropbox's own description that is on this machine. Types of a missing namespace are not validated. */
export class DropboxApiSpec {
  private constructor(private readonly namespaces: ReadonlyMap<string, Namespace>) {}

  static of(...texts: readonly string[]): DropboxApiSpec {
    const all = texts.map((text) => parseStone(text));
    return new DropboxApiSpec(new Map(all.map((namespace) => [namespace.name, namespace])));
  }

  /** Null when the description is not on this machine. */
  static find(): DropboxApiSpec | null {
    const namespaces = new Map<string, Namespace>();
    for (const name of ['files', 'auth', 'common', 'users', 'users_common', 'async', 'file_properties']) {
      const path = findDescription(`dropbox-${name}.stone`);
      if (path === null) continue;
      if (!parsed.has(path)) parsed.set(path, parseStone(readFileSync(path, 'utf8')));
      namespaces.set(name, parsed.get(path)!);
    }
    return namespaces.has('files') ? new DropboxApiSpec(namespaces) : null;
  }

  /** The deviations of one exchange of a route such as `files/list_folder`. */
  violations(path: string, { argument, status, answer, host, scopes }: DropboxExchange): string[] {
    const [name = '', ...rest] = path.split('/');
    const namespace = this.namespaces.get(name);
    if (!namespace) return [];
    const route = namespace.routes.get(rest.join('/'));
    if (!route) return [`${path}: no such route`];
    const violations: string[] = [];
    const { attributes } = route;
    if ((attributes.get('host') ?? 'api') !== host) violations.push(`${path}: is not at this host`);
    const scope = attributes.get('scope');
    if (status === 200 && scope !== undefined && !scopes.includes(scope)) violations.push(`${path}: needs ${scope}`);
    if (status !== 400) violations.push(...this.compare(route.argument, argument, name, `${path} asks`));
    if (status === 200) violations.push(...this.compare(route.result, answer, name, `${path} answers`));
    const error = (answer as { error?: unknown } | null)?.error;
    if (status === 409) violations.push(...this.compare(route.error, error, name, `${path} refuses`));
    const common = { 401: 'AuthError', 403: 'AccessError', 429: 'RateLimitError' }[status];
    // Such errors are sometimes sent as text.
    if (common && answer !== null)
      violations.push(...this.compare(type(`auth.${common}`), error, name, `${path} refuses`));
    return violations;
  }

  private compare(given: ReturnType<typeof type>, value: unknown, within: string, at: string): string[] {
    if (value === null || value === undefined) {
      return given.isNullable || given.name === 'Void' ? [] : [`${at}: is missing`];
    }
    if (given.name === 'List') {
      if (!Array.isArray(value)) return [`${at}: no list`];
      const item = type(given.argument.replace(/, *\w+=.*$/, ''));
      return value.flatMap((each, n) => this.compare(item, each, within, `${at}[${n}]`));
    }
    const own = primitive(given.name, given.argument, value);
    if (own !== null) return own ? [] : [`${at}: ${JSON.stringify(value)} is no ${given.name}(${given.argument})`];
    const [namespace, name] = given.name.includes('.') ? given.name.split('.') : [within, given.name];
    if (!this.namespaces.has(namespace!)) return [];
    const found = this.namespaces.get(namespace!)!.definitions.get(name!);
    return found ? this.compareWith(found, value, namespace!, `${at} ${name}`) : [`${at}: ${name} is not described`];
  }

  private compareWith(definition: Definition, value: unknown, within: string, at: string): string[] {
    if (definition.kind === 'alias') return this.compare(definition.type, value, within, at);
    const isObject = typeof value === 'object';
    const tag = isObject ? (value as Record<string, unknown>)['.tag'] : value;
    if (definition.kind === 'union') {
      const tags = this.inherited(definition, within, 'tags');
      if (typeof tag !== 'string') return [`${at}: no tag`];
      const inner = tags.get(tag);
      if (inner === undefined) return [`${at}: has no ${tag}`];
      if (inner === null) return [];
      const own = (value as Record<string, unknown>)[tag];
      // The members of a struct are siblings of the tag.
      const rest = Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== '.tag'));
      return this.compare(inner, own ?? rest, within, `${at}.${tag}`);
    }
    if (!isObject) return [`${at}: no object`];
    const subtype = definition.subtypes.get(String(tag));
    if (subtype) return this.compare(subtype, value, within, at);
    if (definition.subtypes.size > 0) return [`${at}: has no subtype ${String(tag)}`];
    const fields = this.inherited(definition, within, 'fields');
    const missing = [...fields]
      .filter(([name, field]) => !field.isOptional && !(name in (value as object)))
      .map(([name]) => `${at}.${name}: missing`);
    const members = Object.entries(value as object).flatMap(([name, member]) => {
      if (name === '.tag') return [];
      const field = fields.get(name);
      return field ? this.compare(field, member, within, `${at}.${name}`) : [`${at}.${name}: not described`];
    });
    return [...missing, ...members];
  }

  /** Fields or tags, with those of all ancestors. */
  private inherited<K extends 'fields' | 'tags', D extends Record<K, ReadonlyMap<string, unknown>>>(
    definition: D & { readonly parent: string | null },
    within: string,
    which: K,
  ): D[K] {
    const parent = definition.parent && this.namespaces.get(within)!.definitions.get(definition.parent);
    const above = parent ? this.inherited(parent as unknown as typeof definition, within, which) : [];
    return new Map([...above, ...definition[which]] as Iterable<[string, unknown]>) as unknown as D[K];
  }
}

function type(text: string) {
  const [, name = '', , argument = '', nullable] = /^([\w.]+)(\((.*)\))?(\?)?$/.exec(text.trim())!;
  return { name, argument, isNullable: nullable !== undefined };
}

/** Null for types that the description defines. */
function primitive(name: string, argument: string, value: unknown): boolean | null {
  const limit = (which: string): number | undefined => {
    const found = new RegExp(`${which}=(\\d+)`).exec(argument)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  if (name === 'Boolean') return typeof value === 'boolean';
  if (/^U?Int(32|64)$/.test(name)) {
    const isInRange =
      Number(value) >= (limit('min_value') ?? -Infinity) && Number(value) <= (limit('max_value') ?? Infinity);
    return Number.isInteger(value) && isInRange && (!name.startsWith('U') || Number(value) >= 0);
  }
  if (name === 'Timestamp') return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value);
  if (name !== 'String') return null;
  if (typeof value !== 'string') return false;
  const pattern = /pattern="((?:\\.|[^"])*)"/.exec(argument)?.[1];
  const isLongEnough = value.length >= (limit('min_length') ?? 0) && value.length <= (limit('max_length') ?? Infinity);
  const isMatch = pattern === undefined || new RegExp(`^(?:${JSON.parse(`"${pattern}"`) as string})$`).test(value);
  return isLongEnough && isMatch;
}
