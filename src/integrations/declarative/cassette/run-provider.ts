import type { Network } from '../../../platform/network/network';
import { openSession } from '../../core/session/open-session';
import type { AccountInfo, DocumentRef } from '../../core/source-document';
import type { FieldInput } from '../../core/validate-fields';
import {
  AuthorizationRevoked,
  InvalidCredentials,
  RateLimited,
  SourceError,
  Transient,
} from '../../core/source-errors';
import type { Session } from '../../core/integration';
import type { CompiledProvider } from '../compile/provider';
import type { CompiledStream } from '../compile/streams';
import { checkAccount } from '../run/check-account';
import { openDocument } from '../run/download/open-document';
import { listDocuments } from '../run/list-documents';
import { optionsOf } from '../run/options';

/** How a run reaches the provider. */
export interface ProviderAccess {
  /** Validated input of the first step, secrets included. */
  readonly fields: FieldInput;
  /** For OAuth. */
  readonly accessToken: string | null;
  readonly network: Network;
  readonly apiBaseUrl: string;
  readonly now: Date;
  readonly signal: AbortSignal;
}

export interface RunLimits {
  /** Listed documents of each stream. */
  readonly documents: number;
  /** Those of them that are downloaded. */
  readonly downloads: number;
}

/** The content of a document, or the failure of its download. */
type ContentResult = { readonly mime_type: string; readonly filename: string; readonly bytes: number } | Failure;

interface Failure {
  readonly error: string;
}

export interface DocumentResult {
  readonly id: string | null;
  readonly dedupe_key: string;
  readonly type?: string;
  readonly metadata: object;
  readonly filename: string;
  readonly content?: ContentResult;
}

/** What a provider's file makes of the answers of a provider. */
export interface RunResult {
  readonly account: AccountInfo;
  /** The selection: the first option of each choice. */
  readonly selection: Readonly<Record<string, string | readonly string[]>>;
  readonly streams: Readonly<Record<string, { readonly documents: readonly DocumentResult[] } | Failure>>;
}

/**
 * Runs a provider's file as a connection and its first fetch would, with few documents of each stream. Requests are sent one after
 * the other, so that a second run over the same answers sends the same ones.
 * @throws InvalidCredentials, AuthorizationRevoked, RateLimited, Transient, and any failure of the account check; other failures are results
 */
export async function runProvider(
  provider: CompiledProvider,
  access: ProviderAccess,
  limits: RunLimits,
): Promise<RunResult> {
  const account = await inSession(access, {}, (session) => checkAccount(provider, session));
  const selection = await inSession(access, {}, (session) => firstOptions(provider, session));
  const streams: Record<string, RunResult['streams'][string]> = {};
  for (const stream of provider.streams) {
    streams[stream.name] = await orFailure(() => runStream(provider, stream, access, selection, limits));
  }
  return { account, selection, streams };
}

async function runStream(
  provider: CompiledProvider,
  stream: CompiledStream,
  access: ProviderAccess,
  selection: RunResult['selection'],
  limits: RunLimits,
): Promise<{ documents: readonly DocumentResult[] }> {
  const found: DocumentRef[] = [];
  // What exceeds the limit counts as known, so that nothing more is requested for it.
  const findKnown: Session['findKnown'] = (keys) =>
    Promise.resolve(new Set(keys.slice(Math.max(0, limits.documents - found.length))));
  return inSession(
    access,
    selection,
    async (session) => {
      for await (const { documents } of listDocuments({ ...provider, streams: [stream] }, session, null, null)) {
        found.push(...documents);
        if (found.length >= limits.documents) break;
      }
      const documents: DocumentResult[] = [];
      for (const [at, ref] of found.entries()) {
        const content = at < limits.downloads ? await orFailure(() => contentOf(provider, session, ref)) : undefined;
        documents.push({
          id: ref.externalId,
          dedupe_key: ref.dedupeKey,
          ...(ref.documentType && { type: ref.documentType }),
          metadata: ref.metadata,
          filename: ref.filename,
          ...(content && { content }),
        });
      }
      return { documents };
    },
    findKnown,
  );
}

async function contentOf(provider: CompiledProvider, session: Session, ref: DocumentRef): Promise<ContentResult> {
  const { stream, mimeType, filename } = await openDocument(provider, session, ref);
  let bytes = 0;
  for await (const part of stream as AsyncIterable<Buffer>) bytes += part.length;
  return { mime_type: mimeType, filename, bytes };
}

/** The first option of every choice, of a tree the first one of its second level. */
async function firstOptions(provider: CompiledProvider, session: Session): Promise<RunResult['selection']> {
  const selection: Record<string, string | string[]> = {};
  for (const { id, field, children } of provider.choices) {
    const [first] = await optionsOf(provider, session, id);
    const [child] = first && children ? await optionsOf(provider, session, id, first.value) : [];
    const value = (child ?? first)?.value;
    if (value !== undefined) selection[id] = field.multiple ? [value] : value;
  }
  return selection;
}

async function inSession<T>(
  { accessToken, ...access }: ProviderAccess,
  step2: FieldInput,
  use: (session: Session) => Promise<T>,
  findKnown?: Session['findKnown'],
): Promise<T> {
  const session = openSession({
    ...access,
    step2,
    now: () => access.now,
    ...(findKnown && { findKnown }),
    // There is no other token than the given one.
    ...(accessToken !== null && {
      accessToken: (refused) =>
        refused === undefined
          ? Promise.resolve(accessToken)
          : Promise.reject(new AuthorizationRevoked('The provider refuses the access token.')),
    }),
  });
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

/** A failure that concerns a stream or a document is a result; one that concerns the whole run is thrown. */
async function orFailure<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    const isOfRun = [InvalidCredentials, AuthorizationRevoked, RateLimited, Transient].some(
      (each) => error instanceof each,
    );
    if (isOfRun || !(error instanceof SourceError)) throw error;
    return { error: `${error.name}: ${error.message}` };
  }
}
