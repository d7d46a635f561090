import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';
import { InvalidCredentials, PermissionMissing, RateLimited } from '../../core/source-errors';

const digitalocean = useDeclaredFake('digitalocean');
const { sources } = digitalocean;

describe('The invoices of a DigitalOcean team', () => {
  it('have the metadata of the list, and their billing period', async () => {
    const invoice = digitalocean.account.add('2026-02-11', { amount: '119.5' });
    const { documents } = await digitalocean.list();
    expect(documents).toMatchObject([
      {
        externalId: invoice.id,
        documentType: 'invoice',
        filename: '700000.pdf',
        metadata: {
          number: '700000',
          amount: '119.50',
          currency: 'USD',
          service_start: '2026-02-01',
          service_end: '2026-02-28',
          source: { kind: 'portal' },
        },
      },
    ]);
    expect(documents[0]!.metadata.date).toBeUndefined();
    expect((await digitalocean.read(documents[0]!)).equals(invoice.content)).toBe(true);
  });

  it('start with the billing period of the start date; the preview is never one of them', async () => {
    digitalocean.account.add('2026-02-20');
    const march = digitalocean.account.add('2026-03-01');
    const { keys } = await digitalocean.list({ startdate: '2026-03-15' });
    expect(keys).toEqual([march.id]);
  });

  it('are listed in pages of 200, each time as a whole', async () => {
    for (let n = 0; n < 201; n++) digitalocean.account.add('2026-03-01');
    const first = await digitalocean.list();
    expect(digitalocean.takeRequests()).toEqual([
      'GET /v2/customers/my/invoices?per_page=200&page=1',
      'GET /v2/customers/my/invoices?per_page=200&page=2',
    ]);
    const added = digitalocean.account.add('2026-04-01');
    expect((await digitalocean.listFrom(first)).keys).toEqual([added.id]);
  });

  it('belong to the team, and need the permission to read them', async () => {
    expect(await digitalocean.check()).toEqual({ id: 'team1', display: 'Müller & Söhne' });
    const error = { id: 'forbidden', message: 'You are not authorized to perform this operation' };
    digitalocean.server.fault = () => ({ status: 403, json: error });
    await expect(digitalocean.check()).rejects.toThrow(PermissionMissing);
    digitalocean.server.fault = () => ({ status: 401, json: { id: 'unauthorized', message: 'No.' } });
    await expect(digitalocean.check()).rejects.toThrow(InvalidCredentials);
  });

  it('wait until the stated moment when there are too many requests', async () => {
    const reset = String(Math.floor(Date.now() / 1000) + 1800);
    digitalocean.server.fault = () => ({ status: 429, headers: { 'ratelimit-reset': reset } });
    const { error } = await sources.list();
    expect(error).toBeInstanceOf(RateLimited);
    expect((error as RateLimited).retryAfterSeconds).toBeGreaterThan(1700);
  });
});
