import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly example?: string | number | boolean | null;
  readonly nullable?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Operation {
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}
interface Description {
  readonly info: { readonly description?: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * The folders of the API descriptions: those of this repository, written from the documentation of providers that publish none, and
 * the providers' own ones, which are not part of it.
 */
const FOLDERS = [
  join(__dirname, 'described/descriptions'),
  process.env.PROVIDER_DESCRIPTIONS,
  join(__dirname, '../../../shared/specs'),
];

/** The path of a provider's description; null when it is not on this machine. */
export function findDescription(name: string): string | null {
  const paths = FOLDERS.filter((folder) => folder !== undefined).map((folder) => join(folder, name));
  return paths.find((path) => existsSync(path)) ?? null;
}

const parsed = new Map<string, Description>();

/** Reports where a fake and its clients deviate from the provider's own OpenAPI description. */
export class OpenApiValidator {
  private constructor(
    private readonly description: Description,
    /** The embedded objects of a model, by the names of their members. */
    private readonly embedded: Readonly<Record<string, string>>,
  ) {}

  static find(name: string, embedded: Readonly<Record<string, string>> = {}): OpenApiValidator | null {
    const path = findDescription(name);
    if (path === null) return null;
    if (!parsed.has(path)) {
      const text = readFileSync(path, 'utf8');
      parsed.set(path, (path.endsWith('.json') ? JSON.parse(text) : parse(text)) as Description);
    }
    return new OpenApiValidator(parsed.get(path)!, embedded);
  }

  /** The deviations of one exchange; `body` is its JSON, undefined when it is not validated. */
  violations(verb: string, url: URL, body: unknown, status = 200): string[] {
    const base = new URL(this.description.servers[0]!.url).pathname;
    const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : url.pathname;
    const found = this.operationOf(verb, path);
    if (!found) return [`${verb} ${path}: no such operation`];
    const [template, operation] = found;
    const violations: string[] = [];
    for (const [name, value] of url.searchParams) {
      const parameter = this.parameterOf(operation, name);
      if (!parameter && !this.isInProse(operation, name)) violations.push(`${template}: no parameter ${name}`);
      else if (parameter && !isText(this.resolve(parameter.schema), value))
        violations.push(`${template}: ${name} cannot be ${value}`);
    }
    for (const { name, required } of (operation.parameters ?? []).filter((each) => each.in === 'query')) {
      const isGiven = [...url.searchParams.keys()].some((key) => key === name || key.startsWith(`${name}[`));
      if (required && !isGiven) violations.push(`${template}: ${name} is missing`);
    }
    const answer = operation.responses[String(status)] ?? operation.responses.default;
    const schema = answer?.content?.['application/json']?.schema;
    if (body !== undefined && schema) violations.push(...this.compare(schema, body, template));
    return violations;
  }

  /** A parameter that is an object is sent as `name[member][member]`. */
  private parameterOf({ parameters = [] }: Operation, given: string): { readonly schema: Schema } | undefined {
    const whole = parameters.find((each) => each.in === 'query' && each.name === given);
    if (whole) return whole;
    const [name = '', ...members] = given.split(/\[|\]\[?/).filter((part) => part !== '');
    const object = parameters.find((each) => each.in === 'query' && each.name === name);
    let schema = object && this.resolve(object.schema);
    for (const member of members) schema = schema?.properties?.[member] && this.resolve(schema.properties[member]);
    return object && schema && { schema };
  }

  /** Some parameters are described in tables only: those of all lists, and a model's filters. */
  private isInProse({ tags = [] }: Operation, name: string): boolean {
    const texts = [
      this.description.info.description ?? '',
      ...(this.description.tags ?? []).filter((tag) => tags.includes(tag.name)).map((tag) => tag.description ?? ''),
    ];
    return texts.some((text) => text.includes(`<td>${name}</td>`) || text.includes(`<td>${name}=`));
  }

  private operationOf(verb: string, path: string): [string, Operation] | undefined {
    return Object.entries(this.description.paths)
      .filter(([, operations]) => operations[verb.toLowerCase()])
      .sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
      .map(([template, operations]): [string, Operation] => [template, operations[verb.toLowerCase()]!])
      .find(([template]) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
  }

  private resolve(schema: Schema): Schema {
    if (schema.$ref) return this.resolve(this.description.components.schemas[schema.$ref.split('/').at(-1)!]!);
    if (!schema.allOf) return schema;
    // The constraints of all members combined.
    const parts = schema.allOf.map((part) => this.resolve(part));
    const all = Object.assign({}, ...parts, schema) as Schema;
    const properties = Object.assign({}, ...[...parts, schema].map((part) => part.properties)) as Schema['properties'];
    const required = [...parts, schema].flatMap((part) => part.required ?? []);
    return { ...all, allOf: undefined, required, ...(Object.keys(properties!).length > 0 && { properties }) };
  }

  private compare(given: Schema, value: unknown, at: string): string[] {
    const schema = this.resolve(given);
    if (value === null) return schema.nullable === false ? [`${at}: null`] : [];
    if (schema.oneOf) {
      // All of them are identified by the member `type`.
      const { type: own } = value as { type?: unknown };
      const one = schema.oneOf.find((each) => this.resolve(each).properties?.type?.enum?.includes(own));
      return one ? this.compare(one, value, at) : [`${at}: is none of those described`];
    }
    if (schema.type === 'array') {
      if (!Array.isArray(value)) return [`${at}: no list`];
      return value.flatMap((item, n) => this.compare(schema.items ?? {}, item, `${at}[${n}]`));
    }
    if (schema.properties) {
      if (typeof value !== 'object') return [`${at}: no object`];
      const missing = (schema.required ?? [])
        .filter((name) => !(name in value))
        .map((name) => `${at}.${name}: missing`);
      const members = Object.entries(value).flatMap(([name, member]) => {
        const model = Object.keys((member ?? {}) as object).length > 2 ? this.embedded[name] : undefined;
        const described = model ? { $ref: model } : schema.properties![name];
        // Every list comes with a count ("Response Format").
        if (!described && name === 'total') return typeof member === 'string' ? [] : [`${at}.total: no text`];
        return described ? this.compare(described, member, `${at}.${name}`) : [`${at}.${name}: not described`];
      });
      return [...missing, ...members];
    }
    const isRight = typeof value === 'object' ? schema.type === 'object' : isText(schema, `${value as string}`);
    return isRight ? [] : [`${at}: ${JSON.stringify(value)} is no ${schema.format ?? schema.type}`];
  }
}

function isText({ type, format, enum: values, example }: Schema, text: string): boolean {
  if (values && !values.some((value) => String(value) === text)) return false;
  // A type and its own example may differ: then either is valid.
  if (example !== undefined && String(example) === text) return true;
  if (type === 'boolean') return ['true', 'false', ...(example === undefined ? [] : ['0', '1'])].includes(text);
  if (type === 'integer') return /^-?\d+$/.test(text);
  if (type === 'number') return text.trim() !== '' && !Number.isNaN(Number(text));
  if (format === 'date-time') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d|Z)$/.test(text);
  return true;
}
