import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

export type Json = { readonly [name: string]: unknown };

/** The value at a reference such as `#/components/schemas/Invoice`. */
export function pointed(document: Json, reference: string): Json {
  const parts = reference.split('/').slice(1);
  const names = parts.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<Json>((value, name) => value[name] as Json, document);
}

const DOCUMENT = 'description';
const DATES: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
};

/**
 * Compares values with the schemas of an OpenAPI document. Unlike the document, members that it does not describe are faults. Where
 * a schema contradicts its own example, the example is also valid.
 */
export class StrictSchemas {
  private readonly ajv = this.create(false);
  private readonly ofTexts = this.create(true);
  private readonly compiled = new Map<Json, ValidateFunction>();
  private readonly compiledTexts = new Map<Json, ValidateFunction>();

  constructor(private readonly document: Json) {
    const { definitions, components } = document as { definitions?: Json; components?: { schemas?: Json } };
    const strict = {
      definitions: this.all(definitions ?? {}),
      components: { ...components, schemas: this.all(components?.schemas ?? {}) },
    };
    for (const ajv of [this.ajv, this.ofTexts]) ajv.addSchema(strict, DOCUMENT);
  }

  faults(schema: Json, value: unknown): string[] {
    return run(this.compiled, this.ajv, schema, () => this.strict(schema, true), value);
  }

  /** The same for a parameter, which is a text. */
  textFaults(schema: Json, text: string): string[] {
    const object = () => ({ type: 'object', properties: { value: this.strict(schema, false) } });
    return run(this.compiledTexts, this.ofTexts, schema, object, { value: text });
  }

  private create(coerceTypes: boolean): Ajv2020 {
    const options = {
      strict: false,
      allErrors: true,
      logger: false,
      validateSchema: false,
      unicodeRegExp: false,
    } as const;
    const ajv = new Ajv2020({ ...options, coerceTypes });
    addFormats(ajv);
    return ajv;
  }

  private all(schemas: Json): Json {
    return Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, this.strict(each as Json, false)]));
  }

  /** @param isWhole whether the value has to be described by this schema alone, unlike by one of an `allOf` */
  private strict(schema: Json, isWhole: boolean): Json {
    if (typeof schema !== 'object') return schema;
    const { $ref, properties, items, additionalProperties, allOf, anyOf, oneOf } = schema as {
      readonly $ref?: string;
      readonly properties?: Json;
      readonly items?: Json;
      readonly additionalProperties?: Json | boolean;
      readonly allOf?: readonly Json[];
      readonly anyOf?: readonly Json[];
      readonly oneOf?: readonly Json[];
    };
    const parts = (list: readonly Json[]) => list.map((each) => this.strict(each, false));
    const copy: Record<string, unknown> = {
      ...schema,
      ...($ref !== undefined && { $ref: DOCUMENT + $ref }),
      ...(properties && { properties: this.members(properties) }),
      ...(items && { items: this.strict(items, true) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: this.strict(additionalProperties, true),
      }),
      ...(allOf && { allOf: parts(allOf) }),
      ...(anyOf && { anyOf: parts(anyOf) }),
      ...(oneOf && { oneOf: parts(oneOf) }),
    };
    // In a parameter of Swagger 2.0 it is no list of members.
    if (typeof copy['required'] === 'boolean') delete copy['required'];
    if (isWhole && this.isClosed(schema)) copy['unevaluatedProperties'] = false;
    for (const bound of ['Minimum', 'Maximum']) {
      if (copy[`exclusive${bound}`] !== true) continue;
      copy[`exclusive${bound}`] = copy[bound.toLowerCase()];
    }
    return tolerant(copy);
  }

  private members(properties: Json): Json {
    return Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, this.strict(each as Json, true)]),
    );
  }

  /** Whether the schema names members and allows no others. */
  private isClosed(schema: Json): boolean {
    if (schema['additionalProperties'] !== undefined) return false;
    if (schema['$ref'] !== undefined) return this.isClosed(pointed(this.document, schema['$ref'] as string));
    const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => (schema[name] ?? []) as Json[]);
    if (branches.some((each) => this.isOpen(each))) return false;
    return schema['properties'] !== undefined || branches.some((each) => this.isClosed(each));
  }

  private isOpen(schema: Json): boolean {
    const given = schema['$ref'] === undefined ? schema : pointed(this.document, schema['$ref'] as string);
    return given['additionalProperties'] !== undefined && given['additionalProperties'] !== false;
  }
}

/** Also allows what `nullable` (OpenAPI 3.0), `x-nullable` (Swagger 2.0) and the example of the schema say. */
function tolerant(schema: Record<string, unknown>): Json {
  const { type, format, example, enum: values, nullable, 'x-nullable': isNullable, ...rest } = schema;
  const isMoment = typeof example === 'string' && DATES[String(format)]?.test(example) === false;
  const types = new Set([type ?? []].flat() as string[]);
  const ofExample = typeOf(example);
  const isNull = nullable === true || isNullable === true || example === null;
  if (types.size > 0 && isNull) types.add('null');
  if (types.size > 0 && ofExample && !(ofExample === 'integer' && types.has('number'))) types.add(ofExample);
  const own = {
    ...rest,
    ...(types.size > 0 && { type: [...types] }),
    ...(format !== undefined && !isMoment && { format }),
    ...(Array.isArray(values) && { enum: isNull ? [...(values as unknown[]), null] : values }),
  };
  return isNull && types.size === 0 ? { anyOf: [{ type: 'null' }, own] } : own;
}

function typeOf(example: unknown): string | undefined {
  if (typeof example === 'number') return Number.isInteger(example) ? 'integer' : 'number';
  return typeof example === 'string' || typeof example === 'boolean' ? typeof example : undefined;
}

function run(
  known: Map<Json, ValidateFunction>,
  ajv: Ajv2020,
  schema: Json,
  strict: () => Json,
  value: unknown,
): string[] {
  let validate = known.get(schema);
  if (!validate) known.set(schema, (validate = ajv.compile(strict())));
  return validate(value) ? [] : (validate.errors ?? []).map(described);
}

function described({ instancePath, message, params }: ErrorObject): string {
  const { unevaluatedProperty, additionalProperty, allowedValues } = params as Record<string, string | undefined>;
  const more = unevaluatedProperty ?? additionalProperty ?? (allowedValues && JSON.stringify(allowedValues)) ?? '';
  return `${instancePath} ${message ?? ''} ${more}`.trim();
}
