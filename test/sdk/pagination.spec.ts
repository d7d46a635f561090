import {
  downloadDocument,
  listIdentities,
  paginate,
  pollTransactions,
  pullDocument,
} from '../../sdk/typescript/dist/index.js';
import type { ScriptedResponse } from './scripted-server';
import { errorOf, refusal, UUID, useSdk } from './use-sdk';

describe('Pagination in the SDK', () => {
  const { server, docfetch } = useSdk();

  describe('paginate', () => {
    const page = (data: unknown[], next_cursor: string | null): ScriptedResponse => ({
      status: 200,
      body: { data, meta: { next_cursor, has_more: next_cursor !== null } },
    });
    const feed = (data: unknown[], poll_cursor: string, has_more: boolean): ScriptedResponse => ({
      status: 200,
      body: { data, meta: { next_cursor: has_more ? poll_cursor : null, has_more, poll_cursor } },
    });

    it('continues until the last page, with the same query', async () => {
      server.script(page([1, 2], 'b'), page([], 'c'), page([3], null));
      const seen: unknown[] = [];
      const query = { limit: 2, client_identifier: 'x' };
      for await (const identity of paginate(listIdentities, { client: docfetch(), query })) seen.push(identity);
      expect(seen).toEqual([1, 2, 3]);
      expect(server.seen.map(({ url }) => url)).toEqual([
        '/v1/identities?limit=2&client_identifier=x',
        '/v1/identities?limit=2&client_identifier=x&cursor=b',
        '/v1/identities?limit=2&client_identifier=x&cursor=c',
      ]);
    });

    it('asks for no further page when the caller has enough', async () => {
      server.script(page([1, 2], 'b'));
      for await (const _ of paginate(listIdentities, { client: docfetch() })) break;
      expect(server.seen).toHaveLength(1);
    });

    it('polls with the cursor behind what was seen, also when nothing comes', async () => {
      server.script(feed([], 'end', false), feed([], 'end', false), feed([1], 'x', true), feed([2], 'y', false));
      const pages: unknown[] = [];
      const controller = new AbortController();
      const polling = pollTransactions({
        client: docfetch(),
        cursor: 'now',
        query: { document_type: 'invoice' },
        intervalMs: 1,
        signal: controller.signal,
      });
      for await (const found of polling) {
        pages.push(found);
        if (found.cursor === 'y') controller.abort();
      }
      expect(pages).toEqual([
        { transactions: [], cursor: 'end' },
        { transactions: [1], cursor: 'x' },
        { transactions: [2], cursor: 'y' },
      ]);
      expect(server.seen.map(({ url }) => url.replace('/v1/transactions?document_type=invoice', ''))).toEqual([
        '&cursor=now',
        '&cursor=end',
        '&cursor=end',
        '&cursor=x',
      ]);
    });

    it('aborts polling silently during a wait or a request', async () => {
      for (const answer of [feed([], 'end', false), 'never answer'] as const) {
        server.script(answer);
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 50);
        const polling = pollTransactions({ client: docfetch(), cursor: 'end', signal: controller.signal });
        for await (const _ of polling) throw new Error();
      }
    });

    it('ends polling with the error', async () => {
      server.script(refusal(422, 'VALIDATION_FAILED'));
      await errorOf(pollTransactions({ client: docfetch() }).next());
    });
  });

  describe('documents', () => {
    const at = { transaction_uuid: UUID };

    it('are pulled as JSON unless bytes are requested', async () => {
      server.script({ status: 200, body: { data: { transaction_uuid: UUID } } });
      expect(await pullDocument({ client: docfetch(), path: at })).toEqual({ data: { transaction_uuid: UUID } });
      expect(server.seen[0]!.headers.accept).toBe('application/json');
    });

    it.each([
      [`attachment; filename="plain.pdf"`, 'plain.pdf'],
      [`attachment; filename=token.pdf`, 'token.pdf'],
      [`attachment; filename="a \\"b\\" c.pdf"`, 'a "b" c.pdf'],
      [`attachment; filename="M?ller.pdf"; filename*=UTF-8''M%C3%BCller%20%26%20S%C3%B6hne.pdf`, 'Müller & Söhne.pdf'],
      [`attachment; filename="x.pdf"; filename*=UTF-8''%E0%A4%A`, 'x.pdf'],
      ['attachment', null],
    ])('have the name of %s', async (disposition, filename) => {
      server.script({ status: 200, headers: { 'content-disposition': disposition }, body: 'abc' });
      const download = await downloadDocument({ client: docfetch(), path: at });
      expect(download).toMatchObject({ filename, sha256: null });
      expect(await new Response(download.stream).text()).toBe('abc');
    });

    it('that have been purged are an error', async () => {
      server.script(refusal(404, 'DOCUMENT_NOT_AVAILABLE'));
      const error = await errorOf(downloadDocument({ client: docfetch(), path: at }));
      expect(error.code).toBe('DOCUMENT_NOT_AVAILABLE');
    });
  });
});
