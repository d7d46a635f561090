import type { Condition } from '../language/expressions/conditions';
import type { Evaluate } from '../language/expressions/evaluate';
import type { Names } from '../language/expressions/names';
import type { Place } from '../language/manifest-errors';
import type { DocumentManifest, StreamManifest } from '../language/stream-manifest';
import { type CompiledRequest, type Compiler, isRequest } from './compiler';

export type Format = NonNullable<DocumentManifest['format']>;

/** How one file of a record is downloaded. */
export interface CompiledDocument {
  readonly name: string | undefined;
  readonly when: Condition | undefined;
  readonly renditionOf: string | undefined;
  readonly format: Format;
  readonly request: CompiledRequest | undefined;
  readonly base64: string | undefined;
  readonly url: Evaluate | undefined;
  readonly unzip: boolean;
  readonly filename: Evaluate | undefined;
  /** Its request or address needs values of the record, which is then requested just before. */
  readonly needsRecord: boolean;
}

export function compileDocuments(
  compiler: Compiler,
  place: Place,
  { document, record }: StreamManifest,
  names: Names,
): readonly CompiledDocument[] {
  const all = Array.isArray(document) ? (document as readonly DocumentManifest[]) : [document as DocumentManifest];
  const compiled = all.map((each, n) => {
    const own: Place =
      all.length === 1 && !Array.isArray(document) ? [...place, 'document'] : [...place, 'document', n];
    return compileDocument(compiler, own, each, names);
  });
  for (const [n, { name, renditionOf, needsRecord }] of compiled.entries()) {
    const before = compiled.slice(0, n).map((each) => each.name);
    if (n > 0 && (name === undefined || before.includes(name)))
      compiler.manifestErrors.add([...place, 'document', n], 'needs a name of its own');
    if (renditionOf !== undefined && !before.includes(renditionOf))
      compiler.manifestErrors.add([...place, 'document', n, 'rendition_of'], 'names no file before this one');
    if (needsRecord && record === undefined)
      compiler.manifestErrors.add([...place, 'document'], 'needs record, the request for the record with these values');
  }
  return compiled;
}

function compileDocument(compiler: Compiler, place: Place, given: DocumentManifest, names: Names): CompiledDocument {
  const own = names.with();
  const request = isRequest(given) ? compiler.request(place, given, own) : undefined;
  if (request === undefined && given.url === undefined) compiler.manifestErrors.add(place, 'needs get, post or url');
  if (given.base64 !== undefined && (request === undefined || given.url !== undefined))
    compiler.manifestErrors.add([...place, 'base64'], 'needs get or post, and no url');
  // With a request, `url` is in its answer instead of the record.
  const url = compiler.optional([...place, 'url'], given.url, request === undefined ? own : names.with());
  return {
    name: given.name,
    when: compiler.condition([...place, 'when'], given.when, names),
    renditionOf: given.rendition_of,
    format: given.format ?? (given.unzip ? 'any' : 'pdf'),
    request,
    base64: given.base64,
    url,
    unzip: given.unzip ?? false,
    filename:
      given.filename === undefined ? undefined : compiler.template([...place, 'filename'], given.filename, names),
    needsRecord: own.recordReads > 0,
  };
}
