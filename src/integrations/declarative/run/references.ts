import { hash } from 'node:crypto';
import type { DocumentRef, Json } from '../../core/source-document';
import { UnexpectedResponse } from '../../core/source-errors';
import type { CompiledDocument } from '../compile/documents';
import type { CompiledStream } from '../compile/streams';
import type { ProviderClient, Variables } from './provider-client';
import { textOf } from '../language/expressions/evaluate';

/** Finds the content of a document; stored with it. Addresses are requested again, because most of them expire. */
export type Locator = {
  readonly stream: string;
  readonly id: string;
  /** The value of the choice that the stream is listed for. */
  readonly part?: string;
  readonly child?: string;
  /** The name of one of several files. */
  readonly file?: string;
};

/** A child of a record, such as an attachment. */
export interface Child {
  readonly id: string;
  readonly filename: string | undefined;
  /** An e-invoice in XML, of which a sibling may be a rendition. */
  readonly isEInvoice: boolean;
}

/** The maximum length of a dedupe key (`DocumentRef`). */
const MAX_KEY = 255;
const EXTENSIONS = { pdf: '.pdf', xml: '.xml', any: '' } as const;

/** The id of a record. @throws UnexpectedResponse when it has none */
export function idOf(client: ProviderClient, stream: CompiledStream, record: unknown): string {
  const id = stream.id(client.scope(record));
  if ((typeof id === 'string' || typeof id === 'number') && textOf(id).length <= 1000) return textOf(id);
  throw new UnexpectedResponse(`${client.provider.label} lists a record of "${stream.name}" without an id.`);
}

/** The id of a record for clients. Needs nothing but its id. */
export function keyOf(client: ProviderClient, stream: CompiledStream, id: string): string {
  return textOf(stream.key(client.scope(null, { id })) ?? id);
}

/** The dedupe key of a record with a single file. */
export function dedupeKeyOf(key: string, part: string | undefined, suffix = ''): string {
  const whole = `${part === undefined ? '' : `${part}/`}${key}${suffix}`;
  return whole.length <= MAX_KEY ? whole : `sha256:${hash('sha256', whole)}`;
}

/** The references to the files of a record, or to those of its children. */
export function referencesOf(
  client: ProviderClient,
  stream: CompiledStream,
  record: unknown,
  part: string | undefined,
  variables: Variables,
  children?: readonly Child[],
): DocumentRef[] {
  const id = idOf(client, stream, record);
  const key = keyOf(client, stream, id);
  const scope = client.scope(record, { ...variables, id, key });
  const type = stream.typeOf(scope);
  const metadata = stream.metadata({ ...scope, variables: { ...scope.variables, type } }, type);
  const revision = stream.stable ? undefined : stream.revision?.(scope);
  const version = revision === undefined ? '' : `@${textOf(revision)}`;
  const reference = (file: CompiledDocument, shown: readonly DocumentRef[], child?: Child): DocumentRef => {
    const own = child === undefined ? '' : `/${child.id}`;
    const suffix = `${own}${file.name === undefined ? '' : `/${file.name}`}`;
    const given = child?.filename ?? file.filename?.({ ...scope, variables: { ...scope.variables, child: child?.id } });
    const locator: Locator = {
      stream: stream.name,
      id,
      ...(part !== undefined && { part }),
      ...(child && { child: child.id }),
      ...(file.name !== undefined && { file: file.name }),
    };
    return {
      dedupeKey: dedupeKeyOf(key, part, suffix + version),
      externalId: key + suffix,
      filename: given === undefined ? nameOf(metadata.number ?? key.replaceAll('/', ' '), own, file) : textOf(given),
      ...(type && { documentType: type }),
      ...(!stream.stable && { isSameByContent: true }),
      ...(shown.length > 0 && { renditionOf: shown }),
      metadata,
      locator: locator satisfies Json,
    };
  };
  const files = stream.documents.filter(({ when }) => when?.(scope) ?? true);
  if (children) {
    const filesOf = (some: readonly Child[], shown: readonly DocumentRef[] = []) =>
      some.flatMap((child) => files.map((file) => reference(file, shown, child)));
    const eInvoices = filesOf(children.filter(({ isEInvoice }) => isEInvoice));
    const others = children.filter(({ isEInvoice }) => !isEInvoice);
    return [...eInvoices, ...filesOf(others, eInvoices)];
  }
  const made = new Map<string | undefined, DocumentRef>();
  return files.map((file) => {
    const shown = file.renditionOf === undefined ? undefined : made.get(file.renditionOf);
    const ref = reference(file, shown ? [shown] : []);
    made.set(file.name, ref);
    return ref;
  });
}

function nameOf(name: string, child: string, { format }: CompiledDocument): string {
  return name + child.replaceAll('/', ' ') + EXTENSIONS[format];
}
