import { Catalogue } from '../../../src/integrations/catalogue';
import type { Integration } from '../../../src/integrations/integration';
import type { DocumentRef, Json, SourceDocument } from '../../../src/integrations/source-document';
import { InvalidCredentials, Temporary } from '../../../src/integrations/source-errors';
import { aClient, type TestClient } from '../../harness/a-client';
import { connectionOf, Engine, sandbox } from './engine';

const PAGE = 3;
type Open = (ref: DocumentRef, real: () => Promise<SourceDocument>) => Promise<SourceDocument>;

/** A source whose listing comes in small pages, each with its number as the cursor. */
class PagedSource {
  open: Open = (_, real) => real();
  /** Told of each page that is asked for, before it is listed. */
  turn: (number: number) => unknown = () => undefined;
  /** What listings were given. */
  readonly cursors: Json[] = [];
  isLeft = false;

  constructor(private readonly real: Integration) {}

  integration(): Integration {
    return {
      ...this.real,
      list: (...given) => this.list(...given),
      open: (session, ref) => this.open(ref, () => this.real.open(session, ref)),
    };
  }

  private async *list(...[session, cursor, startdate]: Parameters<Integration['list']>) {
    this.cursors.push(cursor);
    const documents: DocumentRef[] = [];
    for await (const page of this.real.list(session, null, startdate)) documents.push(...page.documents);
    try {
      for (let number = Number(cursor ?? 0); number * PAGE < documents.length; number++) {
        await this.turn(number);
        yield { documents: documents.slice(number * PAGE, (number + 1) * PAGE), cursor: number + 1 };
      }
    } finally {
      this.isLeft = true;
    }
  }
}

describe('A listing of several pages', () => {
  let engine: Engine;
  let client: TestClient;
  let source: PagedSource;
  let real: Integration;
  const of = (documents: number) => sandbox(client, { documents, new_per_fetch: 0, document_size_kb: 4 });

  beforeAll(async () => {
    engine = await Engine.start();
    client = await aClient(engine.app);
    const catalogue = engine.app.app.get(Catalogue, { strict: false });
    real = catalogue.get('sandbox');
    jest.spyOn(catalogue, 'get').mockImplementation(() => source.integration());
  });
  beforeEach(() => {
    source = new PagedSource(real);
  });
  afterAll(() => engine.stop());

  it('has documents of the next page read while the last one of a page is still on its way, and commits in their order', async () => {
    const further = Promise.withResolvers<void>();
    const opened: string[] = [];
    source.open = async ({ filename }, open) => {
      opened.push(filename);
      if (opened.length === PAGE) await further.promise;
      if (opened.length > PAGE) further.resolve();
      return open();
    };
    const uuid = await of(3 * PAGE);
    const done = { status: 'SUCCEEDED', seen: 3 * PAGE, new: 3 * PAGE, duplicate: 0, failed: 0 };
    expect(await engine.lastFetch(uuid, 1)).toMatchObject(done);
    expect((await engine.transactions(uuid)).map(({ filename }) => filename)).toEqual(opened);
  });

  it('that breaks has all documents recorded that were listed before, and goes on behind them', async () => {
    const broken = Promise.withResolvers<void>();
    source.turn = (number) => {
      if (number < 1) return;
      broken.resolve();
      throw new Temporary('The listing has broken.');
    };
    source.open = async (_, open) => {
      await broken.promise;
      return open();
    };
    const uuid = await of(2 * PAGE);
    expect(await engine.lastFetch(uuid, 1)).toMatchObject({
      status: 'PARTIAL',
      new: PAGE,
      error_code: 'PROVIDER_DOWN',
    });
    expect(await engine.transactions(uuid)).toHaveLength(PAGE);

    source.turn = () => undefined;
    const { next_fetch_at } = await connectionOf(client, uuid);
    await engine.move((Date.parse(next_fetch_at!) - engine.app.clock.now().getTime()) / 1000 + 1);
    expect(await engine.lastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: PAGE, duplicate: 0 });
    expect(source.cursors).toEqual([null, 1]);
  });

  it('is left when a document shows that going on is pointless', async () => {
    let asked = 0;
    source.turn = () => void asked++;
    source.open = () => Promise.reject(new InvalidCredentials('The login was refused.'));
    const uuid = await of(100 * PAGE);
    expect(await engine.lastFetch(uuid, 1)).toMatchObject({ status: 'FAILED', new: 0, error_code: 'LOGIN_REJECTED' });
    expect(source.isLeft).toBe(true);
    expect(asked).toBeLessThan(10);
  });
});
