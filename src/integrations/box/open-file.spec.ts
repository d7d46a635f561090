import { buffer } from 'node:stream/consumers';
import { refused } from '../../../test/fakes/box/box-endpoints';
import type { Fault, Request } from '../../../test/fakes/box/fake-box';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { useBox } from '../../../test/harness/connectors/use-box';
import { DocumentUnavailable, RateLimited, Transient } from '../core/source-errors';
import { box } from './box';

const account = useBox();
const isContent = ({ path }: Request): boolean => path.endsWith('/content');

describe('The content of a Box', () => {
  const first = async () => (await account.fetched()).documents[0]!;

  it('comes from another host, which does not receive the token', async () => {
    account.files.put('Rechnung.pdf', '%PDF Rechnung');
    const { stream, filename, size } = await box.download(account.session(), await first());
    expect([(await buffer(stream)).toString(), filename, size]).toEqual(['%PDF Rechnung', 'Rechnung.pdf', 13]);
    expect(account.server.requests.filter(isContent).map(({ authorization }) => authorization)).toEqual([
      expect.stringMatching(/^Bearer /),
    ]);
    expect(account.server.downloads.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('is resumed from a new address when the connection breaks and the token expires', async () => {
    const content = Buffer.alloc(3_000_000, 'Inhalt ');
    account.files.put('groß.pdf', content);
    const ref = await first();
    account.server.fault = ({ path }) => {
      if (!path.startsWith('/d/') || account.server.downloads.length > 1) return undefined;
      account.server.authorization.expireAccessTokens();
      return { cutAfter: 1_000_000 };
    };
    const { stream } = await box.download(account.session(), ref);
    expect((await buffer(stream)).equals(content)).toBe(true);
    expect(account.server.downloads.map(({ range }) => range)).toEqual([
      undefined,
      expect.stringMatching(/^bytes=[1-9]\d*-$/),
    ]);
    expect(new Set(account.server.downloads.map(({ path }) => path)).size).toBe(2);
    expect(account.server.downloads.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('is retried shortly while Box prepares it, otherwise by the next fetch', async () => {
    account.files.put('neu.pdf', '%PDF neu');
    const ref = await first();
    const notYet = (seconds: number): Fault => ({
      answer: { status: 202, headers: { 'retry-after': String(seconds) } },
    });
    let asked = 0;
    account.server.fault = (request) => (isContent(request) && ++asked === 1 ? notYet(1) : undefined);
    expect((await buffer((await box.download(account.session(), ref)).stream)).toString()).toBe('%PDF neu');
    expect(asked).toBe(2);
    account.server.fault = (request) => (isContent(request) ? notYet(600) : undefined);
    const error = await rejectionOf(box.download(account.session(), ref));
    expect(error).toBeInstanceOf(DocumentUnavailable);
    expect(error).toMatchObject({ permanent: false });
  });

  it('fails when it is not the listed version', async () => {
    account.files.put('a.pdf', '%PDF first');
    const ref = await first();
    account.files.put('a.pdf', '%PDF other');
    expect(await rejectionOf(buffer((await box.download(account.session(), ref)).stream))).toMatchObject({
      permanent: true,
    });
    expect((await account.fetched()).names).toEqual(['a.pdf']);
  });

  it('is not verified when Box adds a watermark', async () => {
    account.files.put('vertraulich.pdf', '%PDF', { isWatermarked: true });
    const { stream } = await box.download(account.session(), await first());
    expect((await buffer(stream)).toString()).toBe('%PDF (for Anna)');
  });

  it('that is unavailable does not affect other documents, and an expired URL does not affect the authorization', async () => {
    account.files.put('a.pdf', '%PDF a');
    const ref = await first();
    const cases: [(request: Request) => Fault | undefined, unknown, unknown][] = [
      [
        (request) => (isContent(request) ? { answer: refused(404, 'not_found') } : undefined),
        DocumentUnavailable,
        true,
      ],
      [
        (request) => (isContent(request) ? { answer: refused(403, 'forbidden') } : undefined),
        DocumentUnavailable,
        false,
      ],
      [({ path }) => (path.startsWith('/d/') ? { answer: { status: 401 } } : undefined), DocumentUnavailable, false],
      [({ path }) => (path.startsWith('/d/') ? { answer: { status: 503 } } : undefined), Transient, undefined],
      [
        (request) => (isContent(request) ? { answer: refused(429, 'too_many_requests') } : undefined),
        RateLimited,
        undefined,
      ],
    ];
    for (const [fault, expected, permanent] of cases) {
      account.server.fault = fault;
      const error = await rejectionOf(box.download(account.session(), ref));
      expect(error).toBeInstanceOf(expected);
      expect((error as DocumentUnavailable).permanent).toBe(permanent);
    }
    account.server.fault = () => undefined;
    // With read-only access, listing is possible, but not downloading.
    const error = await rejectionOf(box.download(account.session({}, { scopes: ['root_readonly'] }), ref));
    expect(error).toMatchObject({ permanent: false });
  });

  it.each(['https://', 'ftp://127.0.0.1/x', 'http://[fe80::1]/x', 'http://10.0.0.1/x'])(
    'is not fetched from %s, even after a redirect by Box',
    async (location) => {
      account.files.put('a.pdf', '%PDF a');
      const ref = await first();
      account.server.fault = (request) =>
        isContent(request) ? { answer: { status: 302, headers: { location } } } : undefined;
      const unavailable = { name: 'DocumentUnavailable', permanent: false };
      expect(await rejectionOf(box.download(account.session(), ref))).toMatchObject(unavailable);
      expect(account.server.downloads).toEqual([]);
    },
  );
});
