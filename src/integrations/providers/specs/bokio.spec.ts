import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';
import { PermissionMissing } from '../../core/source-errors';

const bokio = useDeclaredFake('bokio');
const COMPANY = '00000000-0000-4000-8000-900000000001';

describe('The uploads of a Bokio company', () => {
  it('are files with their names; nothing is said about their content', async () => {
    const upload = bokio.account.add('2026-03-01', { fileName: 'kvitto.jpg', contentType: 'image/jpeg' });
    const { documents } = await bokio.list();
    expect(documents).toMatchObject([{ externalId: upload.id, filename: 'kvitto.jpg' }]);
    expect(documents[0]!.documentType).toBeUndefined();
    expect(documents[0]!.metadata).toEqual({ source: { kind: 'accounting' } });
    expect((await bokio.read(documents[0]!)).equals(upload.content)).toBe(true);
  });

  it('are those since the start date, in pages of a hundred', async () => {
    bokio.account.add('2026-03-31');
    for (let n = 0; n < 101; n++) bokio.account.add('2026-04-01');
    expect((await bokio.list({ startdate: '2026-04-01' })).keys).toHaveLength(101);
    expect(bokio.takeRequests()).toEqual([
      `GET /companies/${COMPANY}/uploads?page=1&pageSize=100`,
      `GET /companies/${COMPANY}/uploads?page=2&pageSize=100`,
    ]);
  });

  it('belong to the company of the form, which the token has to be for', async () => {
    expect(await bokio.check()).toEqual({ id: COMPANY, display: 'Müller AB' });
    const fields = { company_id: `${COMPANY.slice(0, -1)}2`, api_token: bokio.account.key() };
    const session = bokio.sources.open({ fields });
    await expect(bokio.integration.check(session)).rejects.toThrow(PermissionMissing);
  });
});
