import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { findDescription } from '../openapi-validator';
import { type Json, pointed, StrictSchemas } from './strict-schemas';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Json;
  readonly type?: string;
}
interface Operation {
  readonly parameters?: readonly Json[];
  readonly requestBody?: Json;
  readonly responses: Readonly<Record<string, Json>>;
}
interface Route {
  readonly method: string;
  readonly template: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
}

export interface Exchange {
  readonly method: string;
  /** Below the base path of the API. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly status: number;
  /** The JSON answer; undefined for a file. */
  readonly answer: unknown;
}

const read = new Map<string, ApiDescription>();

/**
 * The OpenAPI description of a provider (Swagger 2.0, OpenAPI 3.0 or 3.1), its own where it publishes one. A request with an unknown path or parameter is a violation,
 * and so is an answer with a member that is not described.
 */
export class ApiDescription {
  private readonly schemas: StrictSchemas;
  private readonly routes: readonly Route[];

  constructor(private readonly document: Json) {
    this.schemas = new StrictSchemas(document);
    this.routes = this.routesOf();
  }

  /** Null when the description is not on this machine. */
  static find(name: string): ApiDescription | null {
    const path = findDescription(name);
    if (path === null) return null;
    const known = read.get(path);
    if (known) return known;
    const text = readFileSync(path, 'utf8');
    const description = new ApiDescription((path.endsWith('.json') ? JSON.parse(text) : parse(text)) as Json);
    read.set(path, description);
    return description;
  }

  /** The deviations of one exchange from the description. */
  violations({ method, path, query, headers = {}, body, status, answer }: Exchange): string[] {
    const route = this.routes.find((each) => each.method === method && each.pattern.test(path));
    if (!route) return [`${method} ${path}: no such operation`];
    const { template, operation, parameters } = route;
    const found = [...query].flatMap(([name, value]) => this.parameterFaults(parameters, name, value));
    for (const { name, required, in: place } of parameters) {
      const isGiven = [...query.keys()].some((key) => key === name || key.startsWith(`${name}[`));
      if (place === 'query' && required && !isGiven) found.push(`${name} is missing`);
      if (place === 'header' && required && headers[name.toLowerCase()] === undefined)
        found.push(`the header ${name} is missing`);
    }
    const sent = operation.requestBody && this.jsonSchemaOf(this.resolved(operation.requestBody));
    if (body !== undefined && sent) found.push(...this.schemas.faults(sent, body));
    const response = operation.responses[String(status)] ?? operation.responses['default'];
    if (!response) found.push(`${status} is not described`);
    const schema = response && this.jsonSchemaOf(this.resolved(response));
    if (answer !== undefined && schema) found.push(...this.schemas.faults(schema, answer));
    return found.map((fault) => `${method} ${template}: ${fault}`);
  }

  private parameterFaults(parameters: readonly Parameter[], given: string, value: string): string[] {
    const own = parameters.filter((each) => each.in === 'query');
    const whole = own.find(({ name }) => name === given || name === `${given}[]` || `${name}[]` === given);
    const [first = '', ...members] = given.split(/\[|\]\[?/).filter((part) => part !== '');
    const parameter = whole ?? own.find(({ name }) => name === first);
    if (!parameter) return [`no parameter ${given}`];
    const schema = parameter.schema ?? (parameter as unknown as Json);
    // Operators such as `date[GTE]` are described in prose.
    const isOperator = parameter.description?.includes(`[${members.join('][')}]`) ?? false;
    const member = whole ? schema : (this.memberOf(schema, members) ?? (isOperator ? schema : undefined));
    if (!member) return [`no parameter ${given}`];
    const { type, items } = this.resolved(member) as { type?: unknown; items?: Json };
    const single = type === 'array' && items ? items : member;
    const faults = this.schemas.textFaults(single, value);
    // Several values are one text with commas, although some descriptions name a single value only.
    const isList = single !== member || /,|comma/i.test(parameter.description ?? '');
    const isFine = isList && value.split(',').every((part) => this.schemas.textFaults(single, part).length === 0);
    return isFine ? [] : faults.map((fault) => `${given}=${value} ${fault}`);
  }

  /** The schema of `name[member]`, for parameters that are objects. */
  private memberOf(schema: Json, members: readonly string[]): Json | undefined {
    let found: Json | undefined = schema;
    for (const name of members) {
      const { properties, anyOf, oneOf, allOf } = this.resolved(found) as Record<string, unknown>;
      const branches = [anyOf, oneOf, allOf].flatMap((each) => (each ?? []) as Json[]);
      found =
        (properties as Record<string, Json> | undefined)?.[name] ??
        branches.map((branch) => this.memberOf(branch, [name])).find((each) => each !== undefined);
      if (!found) return undefined;
    }
    return found;
  }

  private jsonSchemaOf(message: Json): Json | undefined {
    const { content, schema } = message as { content?: Record<string, { schema?: Json }>; schema?: Json };
    if (schema && schema['format'] !== 'binary' && schema['type'] !== 'file') return schema;
    const type = Object.keys(content ?? {}).find((each) => /[/+-]json\b/.test(each));
    return type === undefined ? undefined : content![type]!.schema;
  }

  private resolved(value: Json): Json {
    const { $ref } = value as { $ref?: string };
    return $ref === undefined ? value : this.resolved(pointed(this.document, $ref));
  }

  private routesOf(): readonly Route[] {
    const { paths } = this.document as { paths: Record<string, Record<string, unknown>> };
    return Object.entries(paths)
      .flatMap(([template, item]) =>
        Object.entries(item)
          .filter(([verb]) => ['get', 'post'].includes(verb))
          .map(([verb, operation]): Route => {
            const given = [...((item['parameters'] ?? []) as Json[]), ...((operation as Operation).parameters ?? [])];
            return {
              method: verb.toUpperCase(),
              template,
              pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+?')}$`),
              operation: operation as Operation,
              parameters: given.map((each) => this.resolved(each) as unknown as Parameter),
            };
          }),
      )
      .sort((a, b) => holes(a) - holes(b));
  }
}

const holes = ({ template }: Route): number => template.split('{').length;
