import type { Condition } from '../language/expressions/conditions';
import { type Evaluate, ExpressionError } from '../language/expressions/evaluate';
import type { Names } from '../language/expressions/names';
import { parseCondition, parseExpression } from '../language/expressions/parse';
import type { ManifestErrors, Place } from '../language/manifest-errors';
import type { JsonTemplate, RequestManifest, Template } from '../language/manifest';
import { parseJsonTemplate, parseTemplate } from '../language/template';

/** A request whose parts are evaluated for each call. */
export interface CompiledRequest {
  readonly method: 'GET' | 'POST';
  /** Below `base`, percent-encoded; absent when a value in it is. */
  readonly path: Evaluate;
  readonly query: readonly (readonly [string, Evaluate])[];
  readonly headers: readonly (readonly [string, Evaluate])[];
  readonly body?: Evaluate;
}

const ABSENT: Evaluate = () => undefined;

/** Compiles the texts of a manifest. What is wrong becomes an error at its place, and compiling goes on. */
export class Compiler {
  /** @param isOfBuild whether the file is one of the build, which alone can name code */
  constructor(
    readonly manifestErrors: ManifestErrors,
    readonly isOfBuild = false,
  ) {}

  expression(place: Place, text: string, names: Names): Evaluate {
    return this.attempt(place, () => parseExpression(text, names)) ?? ABSENT;
  }

  optional(place: Place, text: string | undefined, names: Names): Evaluate | undefined {
    return text === undefined ? undefined : this.expression(place, text, names);
  }

  condition(place: Place, text: string | undefined, names: Names): Condition | undefined {
    return text === undefined ? undefined : this.attempt(place, () => parseCondition(text, names));
  }

  template(place: Place, text: Template, names: Names, encode?: (value: string) => string): Evaluate {
    return this.attempt(place, () => parseTemplate(text, names, encode)) ?? ABSENT;
  }

  templates(
    place: Place,
    given: Readonly<Record<string, Template>> | undefined,
    names: Names,
  ): readonly (readonly [string, Evaluate])[] {
    return Object.entries(given ?? {}).map(([name, text]) => [name, this.template([...place, name], text, names)]);
  }

  /** Parameters; a list or an object is one as JSON. */
  private parameters(place: Place, given: RequestManifest['query'], names: Names): CompiledRequest['query'] {
    return Object.entries(given ?? {}).map(([name, value]) => {
      const own = [...place, name];
      if (value === null || typeof value !== 'object') return [name, this.template(own, value ?? '', names)];
      const json = this.json(own, value, names);
      return [name, (scope) => JSON.stringify(json(scope))];
    });
  }

  json(place: Place, given: JsonTemplate, names: Names): Evaluate {
    return this.attempt(place, () => parseJsonTemplate(given, names)) ?? ABSENT;
  }

  /** Compiles a request. A POST has to be marked as safe. */
  request(place: Place, given: RequestManifest, names: Names): CompiledRequest {
    const { get, post, safe, query, headers, body } = given;
    if ((get === undefined) === (post === undefined)) this.manifestErrors.add(place, 'needs either get or post');
    if (post !== undefined && safe !== true)
      this.manifestErrors.add([...place, 'post'], 'needs safe: true, the statement that the call changes nothing');
    if (get !== undefined && body !== undefined) this.manifestErrors.add([...place, 'body'], 'only a POST has a body');
    const path = get ?? post ?? '/';
    return {
      method: post === undefined ? 'GET' : 'POST',
      path: this.template([...place, get === undefined ? 'post' : 'get'], path, names, encodeURIComponent),
      query: this.parameters([...place, 'query'], query, names),
      headers: this.templates([...place, 'headers'], headers, names),
      ...(body !== undefined && { body: this.json([...place, 'body'], body, names) }),
    };
  }

  private attempt<T>(place: Place, compile: () => T): T | undefined {
    try {
      return compile();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.manifestErrors.add(place, error.message);
      return undefined;
    }
  }
}

/** Whether a manifest contains a request. */
export const isRequest = ({ get, post }: RequestManifest): boolean => get !== undefined || post !== undefined;
