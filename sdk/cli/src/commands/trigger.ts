import {
  type Docfetch,
  DocfetchError,
  type DocumentType,
  fetchNow,
  placeSandboxDocuments,
  type SandboxFormat,
} from '../../../typescript/dist/index.js';
import { openSession, type Setup } from '../session';
import { sandboxConnection } from '../trigger/sandbox-connection';

export interface TriggerOptions {
  readonly type: DocumentType;
  readonly count: number;
  readonly format: SandboxFormat;
  readonly externalId: boolean;
  readonly connection?: string;
}

/** Puts documents into a sandbox portal and has them fetched. */
export async function triggerDocuments(setup: Setup, options: TriggerOptions): Promise<void> {
  const { context, messages, output } = setup;
  const { signal } = context;
  const { client, url } = openSession(setup);
  const { uuid, complete } = options.connection
    ? { uuid: options.connection, complete: null }
    : await sandboxConnection(client, url, messages, signal);
  const { data } = await placeSandboxDocuments({
    client,
    signal,
    path: { uuid },
    body: {
      count: options.count,
      document_type: options.type,
      format: options.format,
      external_id: options.externalId,
    },
  });
  if (complete) await complete();
  else await startFetch(client, uuid, signal);
  const rows = data.documents.map((each) => `  ${each.filename}  ${each.document_type}  ${each.amount} EUR`);
  output.print({ connection_uuid: uuid, documents: data.documents }, [
    messages.placed(data.documents.length, uuid),
    ...rows,
  ]);
}

/** A scheduled fetch that is about to start finds the documents as well. */
async function startFetch(client: Docfetch, uuid: string, signal: AbortSignal): Promise<void> {
  try {
    await fetchNow({ client, signal, path: { uuid } });
  } catch (error) {
    if (!(error instanceof DocfetchError && error.code === 'SCHEDULED_FETCH_DUE')) throw error;
  }
}
