import type { DocumentType } from '../../../documents/metadata';
import type { Category } from '../../core/integration';
import type { Condition } from '../language/expressions/conditions';
import { type Evaluate, type Scope, textOf } from '../language/expressions/evaluate';
import type { Names } from '../language/expressions/names';
import type { Place } from '../language/manifest-errors';
import type { StreamManifest } from '../language/stream-manifest';
import type { CompiledRequest, Compiler } from './compiler';
import { type CompiledDocument, compileDocuments } from './documents';
import { type CompiledChanges, type CompiledList, compileChanges, compileList } from './lists';
import { compileMetadata, type ReadMetadata } from './metadata';

/** One list of documents. */
export interface CompiledStream {
  readonly name: string;
  /** The kinds that its documents may have. */
  readonly kinds: readonly string[];
  readonly per: string | undefined;
  readonly list: CompiledList;
  readonly changes: CompiledChanges;
  readonly id: Evaluate;
  readonly key: Evaluate;
  readonly skip: Condition | undefined;
  readonly ready: Condition | undefined;
  readonly waiting: readonly (readonly [string, Evaluate])[] | undefined;
  readonly issued: readonly Evaluate[];
  typeOf(scope: Scope): DocumentType | undefined;
  readonly types: readonly DocumentType[];
  /** The kind of all its documents; absent when it is the document type. */
  readonly kind: string | undefined;
  readonly record: { readonly request: CompiledRequest; readonly item: Evaluate | undefined } | undefined;
  readonly details:
    'each' | { readonly request: CompiledRequest; readonly items: Evaluate; readonly size: number } | undefined;
  readonly children:
    | {
        readonly request: CompiledRequest | undefined;
        readonly items: Evaluate;
        readonly id: Evaluate;
        readonly filename: Evaluate | undefined;
        readonly when: Condition | undefined;
        readonly eInvoice: Condition | undefined;
      }
    | undefined;
  readonly documents: readonly CompiledDocument[];
  readonly stable: boolean;
  readonly revision: Evaluate | undefined;
  readonly metadata: ReadMetadata;
}

/** Compiles one stream. `names` are the fields and choices, `choices` the ids of the latter. */
export function compileStream(
  compiler: Compiler,
  name: string,
  given: StreamManifest,
  { names: outer, choices, category }: { names: Names; choices: readonly string[]; category: Category },
): CompiledStream {
  const place: Place = ['streams', name];
  const at = (...members: (string | number)[]): Place => [...place, ...members];
  if (given.per !== undefined && !choices.includes(given.per))
    compiler.manifestErrors.add(at('per'), 'there is no such choice');
  let names = outer;
  for (const [id, expression] of Object.entries(given.let ?? {}))
    names = names.define(id, compiler.expression(at('let', id), expression, names));
  const ids = names.with('id', 'key');
  const types = typesOf(given);
  const { record, details, children } = given;
  if ((details === 'each' || given.waiting !== undefined) && record === undefined)
    compiler.manifestErrors.add(place, 'needs record, the request for a single one');
  if (given.changes.strategy === 'created_windows' && given.ready !== undefined && record === undefined)
    compiler.manifestErrors.add(
      place,
      'created_windows with ready needs record, or records that are not ready would be lost',
    );
  checkParents(compiler, at('list', 'of'), given);
  if (given.stable === false && given.revision === undefined)
    compiler.manifestErrors.add(place, 'stable: false needs revision');
  const byValue =
    typeof given.type === 'object' ? compiler.expression(at('type', 'at'), given.type.at, names) : undefined;
  return {
    name,
    kinds: given.kind === undefined ? types : [given.kind],
    kind: given.kind,
    types,
    typeOf: typeReader(given, byValue),
    per: given.per,
    list: compileList(compiler, at('list'), name, given.list, outer),
    changes: compileChanges(compiler, at('changes'), given.changes, names),
    id: compiler.expression(at('id'), given.id ?? 'id', names),
    key: compiler.template(at('key'), given.key ?? '{$id}', outer.with('id')),
    skip: compiler.condition(at('skip'), given.skip, names),
    ready: compiler.condition(at('ready'), given.ready, names),
    waiting: given.waiting && compiler.templates(at('waiting'), given.waiting, outer),
    issued: [given.issued ?? []].flat().map((each, n) => compiler.expression(at('issued', n), each, names)),
    record: record && {
      request: compiler.request(at('record'), record, outer.with('id')),
      item: compiler.optional(at('record', 'item'), record.item, outer),
    },
    details:
      details === undefined || details === 'each'
        ? details
        : {
            request: compiler.request(at('details'), details, outer.with('ids')),
            items: compiler.expression(at('details', 'items'), details.items, outer),
            size: details.size,
          },
    children: children && {
      request: (children.get ?? children.post) ? compiler.request(at('children'), children, ids) : undefined,
      items: compiler.expression(at('children', 'items'), children.items, outer),
      id: compiler.expression(at('children', 'id'), children.id, outer),
      filename: compiler.optional(at('children', 'filename'), children.filename, outer),
      when: compiler.condition(at('children', 'when'), children.when, outer),
      eInvoice: compiler.condition(at('children', 'e_invoice'), children.e_invoice, outer),
    },
    documents: compileDocuments(compiler, place, given, given.children ? ids.with('child') : ids),
    stable: given.stable ?? true,
    revision: compiler.optional(at('revision'), given.revision, names),
    metadata: compileMetadata(compiler, at('metadata'), given.metadata ?? {}, ids.with('type'), category),
  };
}

/** Only a list that is read as a whole can consist of several ones: the position of the others is one time for all records. */
function checkParents({ manifestErrors }: Compiler, place: Place, { list: { of }, changes }: StreamManifest): void {
  if (of === undefined) return;
  if (changes.strategy !== 'snapshot') manifestErrors.add(place, 'needs the strategy snapshot');
  else if (of.at !== undefined && changes.recent === undefined)
    manifestErrors.add([...place, 'at'], 'needs recent, without which there is no $since');
}

function typesOf({ type }: StreamManifest): readonly DocumentType[] {
  if (type === undefined) return ['document'];
  if (typeof type === 'string') return [type];
  return [...new Set([...(type.else === undefined ? [] : [type.else]), ...Object.values(type.values)])];
}

/** The document type by a value of the record. Absent: it is determined by the content. */
function typeReader({ type }: StreamManifest, at: Evaluate | undefined): CompiledStream['typeOf'] {
  if (type === undefined || typeof type === 'string') return () => type;
  return (scope) => {
    const value = textOf(at!(scope));
    return Object.hasOwn(type.values, value) ? type.values[value] : type.else;
  };
}
