import { type Break, SchemaComparison, type Direction } from './compare-schemas';
import {
  type Body,
  type Document,
  type Header,
  METHODS,
  type Operation,
  type Parameter,
  type PathItem,
  resolve,
  type Response,
} from './document';

/** The changes of the document `after` that break clients written for `before`. */
export function breakingChanges(before: Document, after: Document): Break[] {
  const comparison = new Comparison(before, after);
  return unique([...comparison.operations(), ...comparison.messages(), ...comparison.schemas()]);
}

class Comparison {
  constructor(
    private readonly before: Document,
    private readonly after: Document,
  ) {}

  operations(): Break[] {
    const now = byAddress(this.after.paths);
    return [...byAddress(this.before.paths)].flatMap(([address, operation]) => {
      const same = now.get(address);
      if (!same) return [{ rule: 'operation-removed', place: operation.place, message: 'is gone' }];
      return [
        ...named(operation.operation, same.operation, operation.place),
        ...secured(operation.operation, same.operation, operation.place),
        ...this.parameters(operation.operation, same.operation, operation.place),
        ...this.requestBody(operation.operation, same.operation, operation.place),
        ...this.responses(operation.operation, same.operation, operation.place),
      ];
    });
  }

  /** Messages of the service: the client reads them, so they are compared like responses. */
  messages(): Break[] {
    const now = byAddress(this.after.webhooks);
    return [...byAddress(this.before.webhooks)].flatMap(([address, { operation, place }]) => {
      const same = now.get(address)?.operation;
      if (!same) return [{ rule: 'message-removed', place, message: 'is not sent any more' }];
      const [were, are] = [this.parametersOf(this.before, operation), this.parametersOf(this.after, same)];
      const headers = [...were.keys()].filter((key) => !are.has(key));
      const [body, bodyNow] = [this.bodyOf(this.before, operation), this.bodyOf(this.after, same)];
      return [
        ...named(operation, same, place),
        ...headers.map((key) => ({ rule: 'message-header-removed', place: `${place} ${key}`, message: 'is gone' })),
        ...this.content(body?.content, bodyNow?.content, `${place} message`, 'response'),
      ];
    });
  }

  /** Generated code has a type for each schema. */
  schemas(): Break[] {
    const now = this.after.components?.schemas ?? {};
    return Object.keys(this.before.components?.schemas ?? {})
      .filter((name) => !(name in now))
      .map((name) => ({ rule: 'schema-removed', place: name, message: 'generated code loses this type' }));
  }

  private parameters(before: Operation, after: Operation, place: string): Break[] {
    const [were, are] = [this.parametersOf(this.before, before), this.parametersOf(this.after, after)];
    const known = [...were].flatMap(([key, parameter]) => {
      const now = are.get(key);
      const at = `${place} ${key}`;
      if (!now) return [{ rule: 'parameter-removed', place: at, message: 'is gone' }];
      return [
        ...(now.required && !parameter.required
          ? [{ rule: 'parameter-became-required', place: at, message: 'must be given now' }]
          : []),
        ...this.compare('request').run(parameter.schema ?? {}, now.schema ?? {}, at),
      ];
    });
    const added = [...are].filter(([key, parameter]) => parameter.required && !were.has(key));
    return [
      ...known,
      ...added.map(([key]) => ({
        rule: 'required-parameter-added',
        place: `${place} ${key}`,
        message: 'is new and must be given',
      })),
    ];
  }

  private requestBody(before: Operation, after: Operation, place: string): Break[] {
    const [was, is] = [this.bodyOf(this.before, before), this.bodyOf(this.after, after)];
    const at = `${place} request`;
    if (is?.required && !was?.required) {
      return [{ rule: 'request-body-became-required', place: at, message: 'must be sent now' }];
    }
    if (was && !is) return [{ rule: 'request-body-removed', place: at, message: 'is gone' }];
    return this.content(was?.content, is?.content, at, 'request');
  }

  private responses(before: Operation, after: Operation, place: string): Break[] {
    return Object.entries(before.responses ?? {}).flatMap(([status, described]) => {
      const at = `${place} ${status}`;
      const now = after.responses?.[status];
      if (!now) return [{ rule: 'status-removed', place: at, message: 'is not answered any more' }];
      const [was, is] = [resolve<Response>(this.before, described), resolve<Response>(this.after, now)];
      return [...this.headers(was, is, at), ...this.content(was.content, is.content, at, 'response')];
    });
  }

  private headers(before: Response, after: Response, place: string): Break[] {
    return Object.entries(before.headers ?? {}).flatMap(([name, header]) => {
      const at = `${place} ${name}`;
      const now = after.headers?.[name];
      if (!now) return [{ rule: 'response-header-removed', place: at, message: 'is gone' }];
      const [was, is] = [resolve<Header>(this.before, header), resolve<Header>(this.after, now)];
      return [
        ...(was.required && !is.required
          ? [{ rule: 'response-header-became-optional', place: at, message: 'may be missing now' }]
          : []),
        ...this.compare('response').run(was.schema ?? {}, is.schema ?? {}, at),
      ];
    });
  }

  private content(before: Body['content'], after: Body['content'], place: string, direction: Direction): Break[] {
    return Object.entries(before ?? {}).flatMap(([type, media]) => {
      const now = after?.[type];
      if (!now) return [{ rule: `${direction}-media-type-removed`, place: `${place} ${type}`, message: 'is gone' }];
      return this.compare(direction).run(media.schema ?? {}, now.schema ?? {}, place);
    });
  }

  private compare(direction: Direction): SchemaComparison {
    return new SchemaComparison(this.before, this.after, direction);
  }

  private parametersOf(document: Document, operation: Operation): Map<string, Parameter> {
    const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
    return new Map(
      parameters.map((one) => [`${one.in} ${one.in === 'header' ? one.name.toLowerCase() : one.name}`, one]),
    );
  }

  private bodyOf(document: Document, { requestBody }: Operation): Body | undefined {
    return requestBody && resolve<Body>(document, requestBody);
  }
}

function named(before: Operation, after: Operation, place: string): Break[] {
  if (before.operationId === after.operationId) return [];
  const message = `${before.operationId} → ${after.operationId}: generated code has another name for it`;
  return [{ rule: 'operation-id-changed', place, message }];
}

/** Every accepted authentication has to stay accepted, with the same credentials or fewer. */
function secured(before: Operation, after: Operation, place: string): Break[] {
  const ways = (operation: Operation) => (operation.security?.length ? operation.security : [{}]).map(Object.keys);
  const now = ways(after);
  const closed = ways(before).filter((way) => !now.some((another) => another.every((name) => way.includes(name))));
  return closed.map((way) => ({
    rule: 'security-narrowed',
    place,
    message: `${way.join(' with ') || 'nothing'} is not enough any more`,
  }));
}

/** Operations by method and path; the name of a path parameter does not change the URL. */
function byAddress(
  paths: Readonly<Record<string, PathItem>> = {},
): Map<string, { readonly operation: Operation; readonly place: string }> {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        const place = `${method.toUpperCase()} ${path}`;
        return operation ? [[`${method} ${path.replace(/\{[^}]+\}/g, '{}')}`, { operation, place }] as const] : [];
      }),
    ),
  );
}

const unique = (breaks: readonly Break[]): Break[] => [
  ...new Map(breaks.map((one) => [`${one.rule} ${one.place} ${one.message}`, one])).values(),
];
