import { rejectionOf } from '../../../../test/harness/rejection-of';
import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';
import { clock, secretsOf } from '../../../../test/fakes/providers/ovhcloud';
import { InvalidCredentials, PermissionMissing, Transient } from '../../core/source-errors';

const ovh = useDeclaredFake('ovhcloud');
afterEach(() => (clock.leadSeconds = 0));

const checkWith = (fields: Readonly<Record<string, unknown>>) =>
  ovh.integration.check(ovh.sources.open({ fields: { ...ovh.sources.open().fields, ...fields } }));

describe('The documents of an OVHcloud customer', () => {
  it('are bills, refunds and deposits, from lists of ids', async () => {
    const [, , bill, refund, deposit] = ['01', '02', '03', '04', '05'].map((day) => ovh.account.add(`2026-03-${day}`));
    const { documents } = await ovh.list();
    expect(documents.map(({ externalId, documentType }) => [externalId, documentType]).sort()).toEqual([
      ['FR0', 'invoice'],
      ['FR1', 'invoice'],
      ['FR2', 'invoice'],
      ['deposit/DEP4', 'receipt'],
      ['refund/AV3', 'credit_note'],
    ]);
    const of = (id: string) => documents.find(({ externalId }) => externalId === id)!;
    expect(of('FR2').metadata).toEqual({
      number: 'FR2',
      date: '2026-03-03',
      currency: 'EUR',
      amount: '11.90',
      amount_net: '10.00',
      amount_tax: '1.90',
      order_reference: '7002',
      source: { kind: 'portal' },
    });
    expect(of('refund/AV3').metadata).toMatchObject({ number: 'AV3', amount: '11.90', preceding_invoice: 'FR2' });
    expect(of('deposit/DEP4').metadata).toMatchObject({ number: 'DEP4', amount: '50.00' });
    for (const [id, entry] of [
      ['FR2', bill],
      ['refund/AV3', refund],
      ['deposit/DEP4', deposit],
    ] as const)
      expect((await ovh.read(of(id))).equals(entry!.content)).toBe(true);
    expect(ovh.server.downloads).toHaveLength(3);
  });

  it('are requested by id only while they are unknown, later from 60 days before on', async () => {
    ovh.account.add('2026-03-01');
    const first = await ovh.list({ startdate: '2026-02-01' });
    expect(first.keys).toEqual(['FR0']);
    ovh.takeRequests();
    expect((await ovh.listFrom(first, { startdate: '2026-02-01' })).keys).toEqual([]);
    const lists = ovh.takeRequests().filter((request) => request !== 'GET /auth/time');
    expect(lists).toEqual(
      ['bill', 'refund', 'deposit'].map((list) => expect.stringContaining(`GET /me/${list}?date.from=`)),
    );
  });

  it('belong to the customer of the keys, whose rights the check covers', async () => {
    expect(await ovh.check()).toEqual({ id: 'xy1-ovh', display: 'Müller & Söhne GmbH' });
    ovh.server.fault = ({ path }) =>
      path === '/me/deposit'
        ? { status: 403, json: { errorCode: 'NOT_GRANTED_CALL', message: 'This call has not been granted' } }
        : undefined;
    expect(await rejectionOf(ovh.check())).toBeInstanceOf(PermissionMissing);
  });
});

describe('The signature of a request to OVHcloud', () => {
  it('has the time of the provider, which is asked once', async () => {
    clock.leadSeconds = 3600;
    ovh.account.add('2026-03-01');
    expect((await ovh.list()).keys).toEqual(['FR0']);
    expect(ovh.takeRequests().filter((request) => request === 'GET /auth/time')).toHaveLength(1);
  });

  it('of a time that is over is no fault of the keys', async () => {
    const session = ovh.sources.open();
    await ovh.integration.check(session);
    clock.leadSeconds = 60;
    expect(await rejectionOf(ovh.integration.check(session))).toBeInstanceOf(Transient);
  });

  it.each(['application_secret', 'consumer_key'])('is refused with another %s', async (field) => {
    expect(await rejectionOf(checkWith({ [field]: 'another' }))).toBeInstanceOf(InvalidCredentials);
  });

  it('is refused for an unknown application', async () => {
    const unknown = 'unknown';
    const error = await rejectionOf(checkWith({ application_key: unknown, ...secretsOf(unknown) }));
    expect(error).toBeInstanceOf(InvalidCredentials);
    expect(String(error)).toContain('INVALID_KEY');
  });
});
