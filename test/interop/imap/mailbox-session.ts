import { addFiltered, type FilteredBy, NOTHING_FILTERED } from '../../../src/integrations/core/filter-reason';
import { createHash } from 'node:crypto';
import type { Integration, Session } from '../../../src/integrations/core/integration';
import { ServerTrust } from '../../../src/integrations/core/server-trust';
import { EMPTY_INBOX } from '../../../src/integrations/core/inbox';
import { EMPTY_PORTAL } from '../../../src/integrations/core/sandbox-portal';
import type { DocumentRef, Json } from '../../../src/integrations/core/source-document';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import type { Network } from '../../../src/platform/network/network';

export interface MailboxSession extends Session {
  readonly controller: AbortController;
  /** Closes the shared connections, as the end of a fetch does. */
  end(): Promise<void>;
}

export interface SessionInput {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly step2?: Readonly<Record<string, unknown>>;
  readonly network?: Network;
  /** For mailboxes that users authorize. */
  readonly accessToken?: Session['accessToken'];
  readonly apiBaseUrl?: string;
}

/** A session as in a fetch, with a network that allows loopback but no other private address. */
export function mailboxSession({
  fields,
  step2 = {},
  network,
  accessToken = () => Promise.reject(new Error('A mailbox knows no access tokens.')),
  apiBaseUrl = '',
}: SessionInput): MailboxSession {
  const guarded = network ? undefined : new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });
  const controller = new AbortController();
  const opened = new Map<string, { value: Promise<unknown>; close: (value: unknown) => unknown }>();
  return {
    fields,
    step2,
    network: network ?? (guarded as Network),
    signal: controller.signal,
    controller,
    now: () => new Date(),
    trust: ServerTrust.NONE,
    apiBaseUrl,
    portal: EMPTY_PORTAL,
    inbox: EMPTY_INBOX,
    accessToken,
    findKnown: () => Promise.resolve(new Set<string>()),
    shared<T>(name: string, open: () => Promise<T>, close: (value: T) => unknown): Promise<T> {
      const entry = opened.get(name) ?? { value: open(), close: (value: unknown) => close(value as T) };
      opened.set(name, entry);
      return entry.value as Promise<T>;
    },
    async end() {
      for (const { value, close } of opened.values()) await close(await value);
      opened.clear();
      await guarded?.close();
    },
  };
}

export interface Listing {
  readonly documents: DocumentRef[];
  readonly filteredBy: FilteredBy;
  readonly cursor: Json;
  readonly pages: number;
}

/** Lists everything, as a fetch does. */
export async function listAll(
  integration: Integration,
  session: Session,
  cursor: Json = null,
  startdate: string | null = null,
): Promise<Listing> {
  const documents: DocumentRef[] = [];
  let filteredBy = NOTHING_FILTERED;
  let pages = 0;
  for await (const page of integration.list(session, cursor, startdate)) {
    documents.push(...page.documents);
    filteredBy = addFiltered(filteredBy, page.filteredBy ?? NOTHING_FILTERED);
    // Cursors are stored as JSON.
    cursor = JSON.parse(JSON.stringify(page.cursor)) as Json;
    pages++;
  }
  return { documents, filteredBy, cursor, pages };
}

/** Reads a complete document. */
export async function read(integration: Integration, session: Session, ref: DocumentRef): Promise<Buffer> {
  const { stream } = await integration.download(session, JSON.parse(JSON.stringify(ref)) as DocumentRef);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
