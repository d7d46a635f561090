import { buffer } from 'node:stream/consumers';
import { parse, stringify } from 'yaml';
import type { Integration } from '../../../src/integrations/core/integration';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef, Json, SourcePage } from '../../../src/integrations/core/source-document';
import { validateFields } from '../../../src/integrations/core/validate-fields';
import { declareIntegration } from '../../../src/integrations/declarative/declare-integration';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import { JsonServer } from './json-server';

/** A small provider; tests change what they are about. */
export const ACME = `
docfetch: 1
id: acme
name: Acme
category: ACCOUNTING
base: https://api.acme.test/v1
zone: Europe/Berlin
limits: { per_minute: 120, concurrency: 2 }
auth:
  type: api_key
  headers: { x-key: 'Key {$api_key}' }
  fields: { api_key: { secret: true, label: { en: API key, de: API-Schlüssel } } }
account: { get: /me, id: id, display: name }
streams:
  invoice:
    type: invoice
    list: { get: /invoices, items: data }
    changes: { strategy: snapshot }
    id: id
    document: { get: '/invoices/{$id}/pdf' }
    metadata: { number: number, date: date, amount: total, currency: currency }
`;

type Tree = Record<string, unknown>;

/** The manifest with changes, given by path: `{ 'streams.invoice.type': 'receipt' }`. Null removes a member. */
export function changed(changes: Readonly<Record<string, unknown>>, base = ACME): string {
  const manifest = parse(base) as Tree;
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop()!;
    const target = names.reduce((node, name) => (node[name] ??= {}) as Tree, manifest);
    if (value === null) delete target[last];
    else target[last] = value;
  }
  return stringify(manifest);
}

/** A server for each test, and integrations declared for it. */
export class DeclaredProvider {
  server!: JsonServer;
  now = new Date('2026-11-20T10:00:00Z');
  readonly known = new Set<string>();
  readonly network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
  private readonly sessions: OpenSession[] = [];

  declare(changes: Readonly<Record<string, unknown>> = {}): Integration {
    const { integration, manifestErrors } = declareIntegration('acme.yaml', changed(changes));
    expect(manifestErrors).toEqual([]);
    return integration;
  }

  session(integration: Integration, { fields = {}, step2 = {} }: { fields?: Tree; step2?: Tree } = {}): OpenSession {
    const input = { api_key: 'secret-key', ...fields };
    const { values } = validateFields(integration.step1, integration.oauth ? {} : input);
    const session = openSession({
      fields: values,
      step2,
      network: this.network,
      signal: new AbortController().signal,
      now: () => this.now,
      apiBaseUrl: this.server.url,
      accessToken: () => Promise.resolve('a token'),
      findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => this.known.has(key)))),
    });
    this.sessions.push(session);
    return session;
  }

  /** Lists and records, as a fetch does. */
  async listed(
    integration: Integration,
    cursor: Json = null,
    { startdate = null, ...given }: { startdate?: string | null; step2?: Tree } = {},
  ): Promise<{ documents: DocumentRef[]; ids: (string | null)[]; cursor: Json; pages: SourcePage[] }> {
    const pages: SourcePage[] = [];
    const session = this.session(integration, given);
    for await (const page of integration.list(session, cursor, startdate)) pages.push(page);
    const documents = pages.flatMap((page) => [...page.documents]);
    for (const { dedupeKey } of documents) this.known.add(dedupeKey);
    const last = JSON.parse(JSON.stringify(pages.at(-1)?.cursor ?? cursor)) as Json;
    return { documents, ids: documents.map(({ externalId }) => externalId), cursor: last, pages };
  }

  async read(
    integration: Integration,
    ref: DocumentRef,
  ): Promise<{ text: string; filename: string; mimeType: string }> {
    const { stream, filename, mimeType } = await integration.download(this.session(integration), ref);
    return { text: (await buffer(stream)).toString(), filename, mimeType };
  }

  async stop(): Promise<void> {
    for (const session of this.sessions.splice(0)) await session.close();
    await this.server.stop();
    this.known.clear();
  }
}

export function useDeclaredProvider(): DeclaredProvider {
  const provider = new DeclaredProvider();
  beforeEach(async () => {
    provider.server = await JsonServer.start();
    provider.now = new Date('2026-11-20T10:00:00Z');
  });
  afterEach(() => provider.stop());
  afterAll(() => provider.network.close());
  return provider;
}
