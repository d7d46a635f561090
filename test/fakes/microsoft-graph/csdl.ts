import { XMLParser } from 'fast-xml-parser';
import { readFileSync } from 'node:fs';
import { findDescription } from '../openapi-validator';

interface Member {
  readonly Name: string;
  readonly Type: string;
  readonly Nullable?: string;
}
interface StructuredType {
  readonly Name: string;
  readonly BaseType?: string;
  readonly OpenType?: string;
  readonly Property?: readonly Member[];
  readonly NavigationProperty?: readonly Member[];
}
interface BoundFunction {
  readonly Name: string;
  readonly Parameter: readonly Member[];
}
interface Schema {
  readonly EntityType: readonly StructuredType[];
  readonly ComplexType: readonly StructuredType[];
  readonly Function: readonly BoundFunction[];
}

const LISTS = ['EntityType', 'ComplexType', 'Function', 'Property', 'NavigationProperty', 'Parameter'];
/** The supported system query options (OData 4.01 URL conventions, 5.1); others are reported as deviations. */
const OPTIONS = ['$select', '$top', '$filter', '$expand', '$skiptoken', '$deltatoken'];
const LARGEST_INT32 = 2 ** 31 - 1;

/** Reports where a fake and its clients deviate from the provider's own metadata (OData CSDL 4.01), as far as it goes. */
export class GraphValidator {
  private readonly types: ReadonlyMap<string, StructuredType>;

  private constructor(private readonly schema: Schema) {
    const all = [...schema.EntityType, ...schema.ComplexType];
    this.types = new Map(all.map((type) => [`graph.${type.Name}`, type]));
  }

  /** Null when the metadata is not on this machine. */
  static find(name: string): GraphValidator | null {
    const path = findDescription(name);
    return path === null ? null : GraphValidator.of(readFileSync(path, 'utf8'));
  }

  static of(xml: string): GraphValidator {
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '',
      isArray: (element) => LISTS.includes(element),
    });
    return new GraphValidator((parser.parse(xml) as { Schema: Schema }).Schema);
  }

  /** The deviations of a request for a resource of this type, or for its changes. */
  requestViolations(type: string, query: URLSearchParams, isDelta: boolean): string[] {
    const violations: string[] = [];
    const functions = this.schema.Function.filter(({ Name, Parameter }) => {
      const bound = Parameter[0]?.Type;
      return Name === 'delta' && (bound === type || bound === `Collection(${type})`);
    });
    if (isDelta && functions.length === 0) violations.push(`${type}: has no changes`);
    const parameters = functions.flatMap(({ Parameter }) => Parameter.slice(1).map(({ Name }) => Name));
    for (const [name, value] of query) {
      const isOwn = isDelta && parameters.includes(name);
      const isSearch = name === 'search' && type === 'graph.site';
      if (!OPTIONS.includes(name) && !isOwn && !isSearch) violations.push(`${type}: no option ${name}`);
      if (name === '$top' && !/^[1-9]\d{0,2}$/.test(value)) violations.push(`${type}: ${name} cannot be ${value}`);
      if (name !== '$select') continue;
      for (const property of value.split(',')) {
        if (this.types.has(type) && !this.selects(type, property)) violations.push(`${type}: no property ${property}`);
      }
    }
    return violations;
  }

  /** The deviations in the JSON of a success. */
  responseViolations(type: string, body: unknown): string[] {
    const { value } = (body ?? {}) as { value?: unknown };
    if (!Array.isArray(value)) return this.compare(type, body, type);
    const { ['@odata.nextLink']: next, ['@odata.deltaLink']: delta } = body as Record<string, unknown>;
    const violations = next !== undefined && delta !== undefined ? [`${type}: two ways on`] : [];
    return [...violations, ...value.flatMap((item, n) => this.compare(type, item, `${type}[${n}]`))];
  }

  private compare(type: string, value: unknown, at: string): string[] {
    const [, item] = /^Collection\((.+)\)$/.exec(type) ?? [];
    if (item !== undefined) {
      if (!Array.isArray(value)) return [`${at}: no list`];
      return value.flatMap((member, n) => this.compare(item, member, `${at}[${n}]`));
    }
    if (type.startsWith('Edm.'))
      return isPrimitive(type, value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${type}`];
    // Enumerations, and types that the excerpt does not contain.
    if (!this.types.has(type)) return [];
    if (typeof value !== 'object' || value === null) return [`${at}: no object`];
    const named = (value as Record<string, unknown>)['@odata.type'];
    const actual = typeof named === 'string' ? named.replace('#microsoft.graph.', 'graph.') : type;
    if (!this.isA(actual, type)) return [`${at}: ${actual} is no ${type}`];
    return Object.entries(value).flatMap(([name, member]) => {
      if (name.startsWith('@')) return [];
      const described = this.member(actual, name);
      if (!described) return [`${at}.${name}: not described`];
      if (member === null) return described.Nullable === 'false' ? [`${at}.${name}: null`] : [];
      return this.compare(described.Type, member, `${at}.${name}`);
    });
  }

  /** A property, or one of a derived type with the type's full name as a prefix (OData URL conventions, 5.1.3). */
  private selects(type: string, property: string): boolean {
    const [, derived, name = property] = /^microsoft\.(graph\.\w+)\/(\w+)$/.exec(property) ?? [];
    return derived === undefined ? !!this.member(type, name) : this.isA(derived, type) && !!this.member(derived, name);
  }

  private member(type: string, name: string): Member | undefined {
    for (let at = this.types.get(type); at; at = at.BaseType === undefined ? undefined : this.types.get(at.BaseType)) {
      const found = [...(at.Property ?? []), ...(at.NavigationProperty ?? [])].find(({ Name }) => Name === name);
      if (found) return found;
    }
    return undefined;
  }

  private isA(type: string, wanted: string): boolean {
    for (let at: string | undefined = type; at !== undefined; at = this.types.get(at)?.BaseType) {
      if (at === wanted) return true;
    }
    return false;
  }
}

function isPrimitive(type: string, value: unknown): boolean {
  if (type === 'Edm.Boolean') return typeof value === 'boolean';
  if (type === 'Edm.Int64' || type === 'Edm.Double') return typeof value === 'number';
  if (/^Edm\.Int(16|32)$/.test(type)) return Number.isInteger(value) && Math.abs(value as number) <= LARGEST_INT32;
  if (typeof value !== 'string') return false;
  if (type === 'Edm.DateTimeOffset') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?Z$/.test(value);
  return type !== 'Edm.Binary' || /^[\w+/-]*={0,2}$/.test(value);
}
