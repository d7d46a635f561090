import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Integration } from '../../src/integrations/core/integration';
import { isCredential } from '../../src/integrations/core/document-passwords';
import { logoOf } from '../../src/integrations/core/logos/logo';
import type { FieldSpec } from '../../src/integrations/core/field';
import { type OpenSession, openSession } from '../../src/integrations/core/session/open-session';
import type { DocumentRef, Json, SourcePage } from '../../src/integrations/core/source-document';
import { AuthorizationRevoked, InvalidCredentials } from '../../src/integrations/core/source-errors';
import { validateFields } from '../../src/integrations/core/validate-fields';
import { DOCUMENT_TYPES } from '../../src/documents/metadata';
import { GuardedNetwork } from '../../src/platform/network/guarded-network';
import { eventually } from '../harness/eventually';
import { step1Session } from '../harness/connectors/step1-session';
import type { ConnectorTestServer } from './test-server';
import { TEST_SERVERS } from './test-servers';

/** The maximum number of crashes, spread over the pages of a listing. */
const MOST_CRASHES = 6;

function labelled(text: unknown, what: string): void {
  if (typeof text === 'string') expect({ what, text }).toEqual({ what, text: expect.stringMatching(/\S/) });
  else
    expect({ what, text }).toEqual({
      what,
      text: { en: expect.stringMatching(/\S/), de: expect.stringMatching(/\S/) },
    });
}

function wellFormed(fields: readonly FieldSpec[], others: readonly FieldSpec[] = []): void {
  const ids = [...others, ...fields].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const known: string[] = [];
  for (const field of fields) {
    expect(field.id).toMatch(/^[a-z][a-z0-9_]*$/);
    labelled(field.label, field.id);
    expect(typeof field.label).toBe('object');
    for (const text of [field.help, field.placeholder]) if (text !== undefined) labelled(text, field.id);
    if (field.type === 'password') expect(field.secret).toBe(true);
    if (field.secret) expect(field.default).toBeUndefined();
    if (field.visibleWhen) expect(known).toContain(field.visibleWhen.field);
    if (field.pattern) expect(() => new RegExp(`^(?:${field.pattern})$`, 'u')).not.toThrow();
    const options = field.options ?? [];
    for (const option of options) labelled(option.label, `${field.id} ${option.value}`);
    expect(new Set(options.map(({ value }) => value)).size).toBe(options.length);
    if (field.type === 'select') expect(options.length).toBeGreaterThan(0);
    if (field.default !== undefined) {
      const { invalidFields } = validateFields([{ ...field, visibleWhen: undefined }], {});
      expect({ field: field.id, invalidFields }).toEqual({ field: field.id, invalidFields: [] });
    }
    known.push(field.id);
  }
}

/** The tests that every connector passes. */
export function describeConnector(integration: Integration): void {
  const { id } = integration;
  describe(`The connector ${id}`, () => {
    it('describes itself in both languages, with a logo', () => {
      expect(id).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      labelled(integration.name, 'name');
      expect(integration.documentTypes.length).toBeGreaterThan(0);
      for (const type of integration.documentTypes) expect(DOCUMENT_TYPES).toContain(type);
      const logo = logoOf(integration);
      expect(logo).toMatch(/^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/);
      expect(logo).not.toMatch(/<script|\son\w+=|href="(?!#)|<foreignObject|@import/i);
      expect(logo.length).toBeLessThan(20_000);
    });

    it('has a well-formed first step, with a start date', () => {
      wellFormed(integration.step1);
      expect(integration.step1.some((field) => field.id === 'startdate')).toBe(integration.supportsStartdate);
      expect(integration.rateLimits.concurrency).toBeGreaterThanOrEqual(1);
      expect(integration.rateLimits.requestsPerSecond).toBeGreaterThan(0);
      expect(integration.rateLimits.requestsPerSecondPerHost ?? 1).toBeGreaterThan(0);
      const hasLogin = integration.authType === 'CREDENTIALS' && !integration.receivesMail;
      if (hasLogin) expect(integration.step1.some(isCredential)).toBe(true);
      const hasFiles = ['MAILBOX', 'CLOUD_STORAGE'].includes(integration.category);
      expect(integration.step1.some((field) => field.id === 'document_passwords')).toBe(hasFiles);
    });

    if (integration.presetOf !== undefined) return;
    describe('with its test server', () => {
      let testServer: ConnectorTestServer;
      let network: GuardedNetwork;
      const opened: OpenSession[] = [];

      beforeEach(async () => {
        network = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });
        testServer = await TEST_SERVERS[id]!();
      });
      afterEach(async () => {
        for (const session of opened.splice(0)) await session.close();
        await Promise.all([testServer.stop(), network.close()]);
      });

      const session = (
        signal = new AbortController().signal,
        given = testServer.fields,
        recorded: readonly string[] = [],
      ): OpenSession => {
        const input = step1Session(integration, given);
        const findKnown = (keys: readonly string[]) =>
          Promise.resolve(new Set(keys.filter((key) => recorded.includes(key))));
        const { step2 } = testServer;
        const provider = testServer.providerAccess?.(given === testServer.refused);
        const made = openSession({ ...input, step2, network, signal, now: () => new Date(), findKnown, ...provider });
        opened.push(made);
        return made;
      };
      const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

      async function pagesOf(
        cursor: Json = null,
        given?: Readonly<Record<string, unknown>>,
        startdate: string | null = null,
        recorded: readonly string[] = [],
      ) {
        const pages: SourcePage[] = [];
        for await (const page of integration.list(session(undefined, given, recorded), cursor, startdate)) {
          pages.push(page);
        }
        return pages;
      }
      const documentsOf = (pages: readonly SourcePage[]): DocumentRef[] =>
        pages.flatMap(({ documents }) => [...documents]);
      const keysOf = (pages: readonly SourcePage[]): string[] => documentsOf(pages).map(({ dedupeKey }) => dedupeKey);
      const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

      it('returns a stable account', async () => {
        const [first, second] = [await integration.check(session()), await integration.check(session())];
        expect(first.id).toMatch(/\S/);
        expect(first.display).toMatch(/\S/);
        expect(second).toEqual(first);
      });

      it('reports wrong credentials as a permanent error, in the check and in the listing', async () => {
        if (integration.receivesMail) return expect(integration.step1.some(isCredential)).toBe(false);
        const failure = async (work: () => Promise<unknown>): Promise<unknown> => {
          try {
            await work();
          } catch (error) {
            return error;
          }
          throw new Error('It succeeded.');
        };
        const expected = integration.authType === 'OAUTH2' ? AuthorizationRevoked : InvalidCredentials;
        expect(await failure(() => integration.check(session(undefined, testServer.refused)))).toBeInstanceOf(expected);
        expect(await failure(() => pagesOf(null, testServer.refused))).toBeInstanceOf(expected);
      });

      it('has a well-formed second step with options that resolve', async () => {
        if (!integration.step2) return expect(integration.worksWithoutStep2).toBeUndefined();
        const own = session();
        const fields = await integration.step2(own);
        wellFormed(fields, integration.step1);
        for (const field of fields.filter(({ type }) => type === 'tree')) {
          const first = await integration.options!(own, field.id);
          expect(first).toEqual(field.options);
          for (const parent of first.filter(({ hasChildren }) => hasChildren)) {
            const children = await integration.options!(own, field.id, parent.value);
            expect(children.length).toBeGreaterThan(0);
            for (const child of children) labelled(child.label, child.value);
          }
          if (!integration.resolve) continue;
          const [known, unknown] = await integration.resolve(own, field.id, [first[0]!.value, 'no such option']);
          expect(known).toMatchObject({ value: first[0]!.value });
          expect(unknown).toBeNull();
        }
      });

      it('lists every document with a unique valid key, and a JSON cursor', async () => {
        const pages = await pagesOf();
        const documents = documentsOf(pages);
        expect(new Set(keysOf(pages)).size).toBe(testServer.documents);
        for (const { cursor } of pages) expect(throughJson(cursor)).toEqual(cursor);
        for (const ref of documents) {
          expect(ref.dedupeKey.length).toBeGreaterThan(0);
          expect(ref.dedupeKey.length).toBeLessThanOrEqual(255);
          expect(ref.externalId === null).toBe(!integration.providesExternalId);
          expect(ref.filename).toMatch(/\S/);
          expect(throughJson(ref.locator)).toEqual(ref.locator);
          if (ref.documentType) expect(integration.documentTypes).toContain(ref.documentType);
          for (const amount of [ref.metadata.amount, ref.metadata.amount_net]) {
            if (amount !== undefined) expect(amount).toMatch(/^\d+(\.\d+)?$/);
          }
          if (ref.metadata.date !== undefined) expect(ref.metadata.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        }
        // Pages are held in memory and committed as a whole.
        for (const page of pages) expect(page.documents.length).toBeLessThanOrEqual(1_000);
      });

      it('lists nothing from its last cursor, then exactly the new documents', async () => {
        const first = await pagesOf();
        const cursor = throughJson(first.at(-1)!.cursor);
        const recorded = keysOf(first);
        const second = await pagesOf(cursor, undefined, null, recorded);
        expect(keysOf(second)).toEqual([]);
        const next = throughJson(second.at(-1)?.cursor ?? cursor);
        const third = await pagesOf(next, testServer.addDocument(), null, recorded);
        expect(documentsOf(third)).toHaveLength(1);
        expect(recorded).not.toContain(keysOf(third)[0]);
      });

      it('loses nothing and changes no key after a crash after or during any page', async () => {
        const pages = await pagesOf();
        const all = new Set(keysOf(pages));
        const step = Math.max(1, Math.ceil(pages.length / MOST_CRASHES));
        for (let index = 0; index < pages.length; index += step) {
          const before = keysOf(pages.slice(0, index));
          const page = keysOf(pages.slice(index, index + 1));
          const goOn = async (cursor: Json, recorded: readonly string[]) =>
            keysOf(await pagesOf(throughJson(cursor), undefined, null, recorded));
          // The page is recorded and the cursor advanced.
          const recorded = [...before, ...page];
          expect(new Set([...recorded, ...(await goOn(pages[index]!.cursor, recorded))])).toEqual(all);
          // Half of the page is recorded and the cursor not advanced.
          const half = [...before, ...page.slice(0, page.length / 2)];
          expect(new Set([...half, ...(await goOn(pages[index - 1]?.cursor ?? null, half))])).toEqual(all);
        }
      });

      it('returns the same keys when everything is listed again', async () => {
        expect(new Set(keysOf(await pagesOf()))).toEqual(new Set(keysOf(await pagesOf())));
      });

      it('lists nothing from before the start date', async () => {
        if (!integration.supportsStartdate)
          return expect(integration.step1.map((field) => field.id)).not.toContain('startdate');
        expect(keysOf(await pagesOf(null, undefined, '2999-01-01'))).toEqual([]);
        expect(new Set(keysOf(await pagesOf(null, undefined, '1990-01-01'))).size).toBe(testServer.documents);
      });

      it('downloads documents concurrently, also in a later session, always with the same bytes', async () => {
        const documents = documentsOf(await pagesOf()).map(throughJson);
        const sample = [...documents.slice(0, 6), ...documents.slice(-6)];
        const own = session();
        const read = async (from: OpenSession, ref: DocumentRef) => {
          const { stream, size, filename, mimeType } = await integration.download(from, ref);
          const bytes = await buffer(stream);
          expect(bytes.length).toBeGreaterThan(0);
          if (size !== undefined) expect(bytes.length).toBe(size);
          expect(filename).toMatch(/\S/);
          expect(mimeType).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
          return sha256(bytes);
        };
        const first = await Promise.all(sample.map((ref) => read(own, ref)));
        const second: string[] = [];
        for (const ref of sample) second.push(await read(session(), ref));
        expect(second).toEqual(first);
      });

      it('downloads documents of a page while the next one is listed', async () => {
        const own = session();
        const opened: Promise<Buffer>[] = [];
        const keys = new Set<string>();
        for await (const { documents } of integration.list(own, null, null)) {
          for (const { dedupeKey } of documents) keys.add(dedupeKey);
          const last = documents.slice(-2);
          opened.push(...last.map(async (ref) => buffer((await integration.download(own, ref)).stream)));
        }
        for (const bytes of await Promise.all(opened)) expect(bytes.length).toBeGreaterThan(0);
        expect(keys.size).toBe(testServer.documents);
      });

      it('respects the abort signal: before the start, between two pages and during a document', async () => {
        const reason = new Error('The service shuts down.');
        const already = AbortSignal.abort(reason);
        await expect(integration.check(session(already))).rejects.toThrow();
        await expect(integration.list(session(already), null, null)[Symbol.asyncIterator]().next()).rejects.toThrow();

        const between = new AbortController();
        const pages: SourcePage[] = [];
        const listing = async () => {
          for await (const page of integration.list(session(between.signal), null, null)) {
            pages.push(page);
            between.abort(reason);
          }
        };
        await expect(listing()).rejects.toThrow();
        expect(documentsOf(pages).length).toBeLessThan(testServer.documents);

        const [ref] = documentsOf(pages);
        const whole = await buffer((await integration.download(session(), ref!)).stream);
        const middle = new AbortController();
        const { stream } = await integration.download(session(middle.signal), ref!);
        middle.abort(reason);
        const [end] = await Promise.allSettled([buffer(stream)]);
        // A document that has arrived may be delivered, but only completely.
        if (end.status === 'fulfilled') expect(end.value.equals(whole)).toBe(true);
        else expect(end.reason).toBeDefined();
      });

      it('leaves no connection open after its session', async () => {
        const { openConnections } = testServer;
        // The sandbox and the inbox have no network; HTTP connections are kept by the service for the next session.
        if (!openConnections)
          return expect(
            id.startsWith('sandbox') || integration.receivesMail || integration.apiBaseUrl !== undefined,
          ).toBe(true);
        const aborted = new AbortController();
        await pagesOf();
        const iterator = integration.list(session(aborted.signal), null, null)[Symbol.asyncIterator]();
        await iterator.next();
        expect(openConnections()).toBeGreaterThan(0);
        aborted.abort(new Error('The service shuts down.'));
        for (const each of opened.splice(0)) await each.close();
        await eventually(() => Promise.resolve(openConnections() === 0), 'all connections are closed', 5_000);
      });
    });
  });
}
