import { readFileSync } from 'node:fs';
import { findDescription } from '../openapi-validator';

/** A part of Google's discovery format: an old version of JSON Schema, with references into one list. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly enum?: readonly string[];
}
interface Parameter extends Schema {
  readonly required?: boolean;
  readonly location: 'path' | 'query';
  readonly minimum?: string;
  readonly maximum?: string;
}
interface Method {
  readonly path: string;
  readonly httpMethod: string;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly response?: Schema;
  readonly supportsMediaDownload?: boolean;
}
interface Discovery {
  readonly servicePath: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly resources: Resources;
}
type Resources = Readonly<
  Record<string, { readonly methods?: Readonly<Record<string, Method>>; readonly resources?: Resources }>
>;

/** Reports where a fake and its clients deviate from the provider's own description. */
export class DiscoveryValidator {
  private constructor(private readonly description: Discovery) {}

  /** Null when the description is not on this machine. */
  static find(name: string): DiscoveryValidator | null {
    const path = findDescription(name);
    return path === null ? null : new DiscoveryValidator(JSON.parse(readFileSync(path, 'utf8')) as Discovery);
  }

  /** The deviations of one exchange; `body` is the JSON of a success, undefined for other responses. */
  violations(verb: string, url: URL, body: unknown): string[] {
    const method = this.methodOf(verb, url.pathname);
    if (!method) return [`${verb} ${url.pathname}: no such method`];
    const violations: string[] = [];
    const parameters = { ...this.description.parameters, ...method.parameters };
    for (const [name, value] of url.searchParams) {
      const parameter = parameters[name];
      if (parameter?.location !== 'query') violations.push(`${method.path}: no parameter ${name}`);
      else if (!isValue(parameter, value)) violations.push(`${method.path}: ${name} cannot be ${value}`);
    }
    for (const [name, { required, location }] of Object.entries(method.parameters ?? {})) {
      if (required && location === 'query' && !url.searchParams.has(name))
        violations.push(`${method.path}: ${name} is missing`);
    }
    if (url.searchParams.get('alt') === 'media' && !method.supportsMediaDownload) {
      violations.push(`${method.path}: has no media`);
    }
    if (body !== undefined && method.response) violations.push(...this.compare(method.response, body, method.path));
    return violations;
  }

  private methodOf(verb: string, path: string): Method | undefined {
    return methodsOf(this.description.resources)
      .filter(({ httpMethod }) => httpMethod === verb)
      .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
      .find((method) => {
        const pattern = `/${this.description.servicePath}${method.path}`.replaceAll(/\{\w+\}/g, '[^/]+');
        return new RegExp(`^${pattern}$`).test(path);
      });
  }

  private compare(schema: Schema, value: unknown, at: string): string[] {
    if (schema.$ref) return this.compare(this.description.schemas[schema.$ref]!, value, at);
    if (schema.type === 'array') {
      if (!Array.isArray(value)) return [`${at}: no list`];
      return value.flatMap((item, n) => this.compare(schema.items!, item, `${at}[${n}]`));
    }
    if (schema.type === 'object') {
      if (typeof value !== 'object' || value === null) return [`${at}: no object`];
      return Object.entries(value).flatMap(([name, member]) => {
        const described = schema.properties?.[name] ?? schema.additionalProperties;
        return described ? this.compare(described, member, `${at}.${name}`) : [`${at}.${name}: not described`];
      });
    }
    const isRight =
      schema.type === 'boolean'
        ? typeof value === 'boolean'
        : schema.type === 'integer' || schema.type === 'number'
          ? typeof value === 'number'
          : typeof value === 'string' && isValue(schema, value);
    return isRight ? [] : [`${at}: ${JSON.stringify(value)} is no ${schema.format ?? schema.type}`];
  }
}

const methodsOf = (resources: Resources): Method[] =>
  Object.values(resources).flatMap((each) => [
    ...Object.values(each.methods ?? {}),
    ...methodsOf(each.resources ?? {}),
  ]);

function isValue({ type, format, enum: values, minimum, maximum }: Schema & Partial<Parameter>, text: string): boolean {
  if (values && !values.includes(text)) return false;
  if (type === 'boolean') return text === 'true' || text === 'false';
  if (format === 'int64') return /^-?\d+$/.test(text);
  if (format === 'uint64') return /^\d+$/.test(text);
  if (format === 'byte') return /^[\w-]*=*$/.test(text);
  if (format === 'date-time') return !Number.isNaN(Date.parse(text)) && text.endsWith('Z');
  if (type !== 'integer') return true;
  return /^\d+$/.test(text) && Number(text) >= Number(minimum ?? text) && Number(text) <= Number(maximum ?? text);
}
