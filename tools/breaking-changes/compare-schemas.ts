import { type Alternative, alternatives } from './alternatives';
import type { Document, Schema } from './document';

/** A breaking change: the violated rule and the place. */
export interface Break {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
}

/** The writer of the value: the client in a request, the service in a response (and in a message). */
export type Direction = 'request' | 'response';

/** Keywords for lower and upper limits. */
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

/** Compares the former version of a schema with the current one. */
export class SchemaComparison {
  /** Pairs of named schemas under comparison: a schema may contain itself. */
  private readonly open = new Set<string>();

  constructor(
    private readonly before: Document,
    private readonly after: Document,
    private readonly direction: Direction,
  ) {}

  /**
   * A request may not require more than before: what clients send has to stay valid. A response may not contain less, or
   * a value of another type: what clients read has to remain. New values of an enum in a response are allowed, clients
   * are documented to expect them; a removed value removes a constant from generated code.
   */
  run(before: Schema, after: Schema, place: string): Break[] {
    const [were, are] = [alternatives(this.before, before), alternatives(this.after, after)];
    // The writer may write any of these alternatives, and the reader has to understand it.
    const [written, read] = this.direction === 'request' ? [were, are] : [are, were];
    return [
      ...written.flatMap((alternative) => this.readable(alternative, read, place)),
      ...(this.direction === 'response' ? goneTypes(were, are, place) : []),
    ];
  }

  /** The problem with an alternative for a reader that knows only `known`. */
  private readable(written: Alternative, known: readonly Alternative[], place: string): Break[] {
    const candidates = known.filter((one) => includes(one.type, written.type));
    if (candidates.length === 0) {
      const message =
        this.direction === 'request' ? `${written.type} is no longer accepted` : `may now be ${written.type}`;
      return [{ rule: `${this.direction}-type-changed`, place, message }];
    }
    const attempts = candidates.map((candidate) =>
      this.direction === 'request' ? this.pair(written, candidate, place) : this.pair(candidate, written, place),
    );
    return attempts.reduce((best, attempt) => (attempt.length < best.length ? attempt : best));
  }

  private pair(before: Alternative, after: Alternative, usedAt: string): Break[] {
    const origins = before.origin && after.origin ? `${before.origin} ${after.origin}` : null;
    if (origins && this.open.has(origins)) return [];
    if (origins) this.open.add(origins);
    const breaks = this.compare(before, after, before.origin ?? usedAt);
    if (origins) this.open.delete(origins);
    return breaks;
  }

  private compare(before: Alternative, after: Alternative, place: string): Break[] {
    const found = (rule: string, message: string): Break => ({ rule: `${this.direction}-${rule}`, place, message });
    return [
      ...this.values(before, after, found),
      ...(this.direction === 'request' ? bounds(before, after, found) : []),
      ...this.properties(before, after, place),
      ...(before.items && after.items ? this.run(before.items, after.items, `${place}/items`) : []),
      ...this.further(before, after, place, found),
    ];
  }

  private values(before: Alternative, after: Alternative, found: (rule: string, message: string) => Break): Break[] {
    const [were, are] = [valuesOf(before), valuesOf(after)];
    const breaks: Break[] = [];
    if (were && are) {
      const gone = were.filter((value) => !are.includes(value));
      if (gone.length > 0) breaks.push(found('enum-value-removed', `without ${gone.map(String).join(', ')}`));
    } else if (this.direction === 'request' ? !were && are : were && !are) {
      breaks.push(found('enum-changed', are ? 'only certain values are accepted now' : 'may now be any value'));
    }
    const narrowed = (was: string | undefined, is: string | undefined) =>
      was !== is && (this.direction === 'request' ? is !== undefined : was !== undefined);
    if (narrowed(before.format, after.format)) {
      breaks.push(found('format-changed', `${before.format ?? 'no format'} → ${after.format ?? 'no format'}`));
    }
    if (this.direction === 'request' && narrowed(before.pattern, after.pattern)) {
      breaks.push(found('pattern-changed', `${before.pattern ?? 'no pattern'} → ${after.pattern ?? 'no pattern'}`));
    }
    return breaks;
  }

  private properties(before: Alternative, after: Alternative, place: string): Break[] {
    const [were, are] = [before.properties ?? {}, after.properties ?? {}];
    const [needed, needs] = [new Set(before.required), new Set(after.required)];
    const at = (name: string) => `${place}/${name}`;
    const break_ = (rule: string, name: string, message: string): Break => ({
      rule: `${this.direction}-${rule}`,
      place: at(name),
      message,
    });
    const known = Object.entries(were).flatMap(([name, property]) => {
      const now = are[name];
      if (!now) return [break_('property-removed', name, 'is gone')];
      const inside = this.run(property, now, at(name));
      if (this.direction === 'request' && needs.has(name) && !needed.has(name)) {
        return [break_('property-became-required', name, 'must be given now'), ...inside];
      }
      if (this.direction === 'response' && needed.has(name) && !needs.has(name)) {
        return [break_('property-became-optional', name, 'may be missing now'), ...inside];
      }
      return inside;
    });
    if (this.direction === 'response') return known;
    const added = [...needs].filter((name) => !(name in were));
    return [...known, ...added.map((name) => break_('required-property-added', name, 'is new and must be given'))];
  }

  /** Properties that are not listed by name. */
  private further(
    { additionalProperties: before }: Alternative,
    { additionalProperties: after }: Alternative,
    place: string,
    found: (rule: string, message: string) => Break,
  ): Break[] {
    if (typeof before === 'object' && typeof after === 'object') return this.run(before, after, `${place}/*`);
    const [open, closed] = this.direction === 'request' ? [before, after] : [after, before];
    // A closed map that opens, or an open one that closes, for the affected direction.
    if (typeof closed === 'object' && open === true)
      return [found('map-changed', 'its values are of another kind now')];
    return this.direction === 'request' && before && after === false
      ? [found('map-changed', 'takes no further properties')]
      : [];
  }
}

/** The types that a response no longer has, which generated code has names for. Removing null breaks nothing. */
function goneTypes(were: readonly Alternative[], are: readonly Alternative[], place: string): Break[] {
  const gone = were.filter(
    ({ type }) => type !== 'null' && !are.some((now) => includes(type, now.type) || includes(now.type, type)),
  );
  return gone.map(({ type }) => ({ rule: 'response-type-removed', place, message: `is never ${type} any more` }));
}

function bounds(before: Schema, after: Schema, found: (rule: string, message: string) => Break): Break[] {
  const narrowed = [
    ...LOWER.filter((name) => (after[name] ?? -Infinity) > (before[name] ?? lowest(name))),
    ...UPPER.filter((name) => (after[name] ?? Infinity) < (before[name] ?? Infinity)),
  ];
  return narrowed.map((name) => found('bounds-narrowed', `${name} ${before[name] ?? 'none'} → ${after[name]}`));
}

/** A minimum length of 0 is not a limit. */
const lowest = (name: (typeof LOWER)[number]) => (name.startsWith('min') && name !== 'minimum' ? 0 : -Infinity);

const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);

/** True when every value of the narrower type is also of the wider one. */
const includes = (wider: string, narrower: string) =>
  wider === narrower || wider === 'any' || (wider === 'number' && narrower === 'integer');
