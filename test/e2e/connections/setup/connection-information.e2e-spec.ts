import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';

describe('GET /v1/connections/{uuid}/information (spec 4.7)', () => {
  const context = useTestContext();
  const path = (uuid: string) => `/v1/connections/${uuid}/information`;
  const get = async (uuid: string, lang = 'en') =>
    (await context.client.request('get', path(uuid)).set('Lang', lang).expect(200)).body.data;

  itChecksConnectionAccess(context, { method: 'get', path, accepts: ['key', 'token'], malformed: 404 });

  it('shows both steps as the user entered them', async () => {
    const uuid = await context.createConnection({
      name: 'Portal',
      fields: { user: 'info', scenario: 'slow', delay_ms: 0 },
    });
    await context.client
      .requestWithToken(context.token, 'put', `/v1/connections/${uuid}/step2`)
      .send({ fields: { folders: ['inbox', 'shared/buero'], kinds: ['invoice'] } })
      .expect(204);
    const { steps, ...head } = await get(uuid);
    expect(head).toEqual({ uuid, name: 'Portal', integration_id: 'sandbox', status: 'ACTIVE' });
    expect(steps.map(({ step }: { step: number }) => step)).toEqual([1, 2]);
    expect(steps[0].fields.slice(0, 3)).toEqual([
      { id: 'user', label: 'User name', type: 'text', secret: false, value: 'info', display_value: null },
      { id: 'password', label: 'Password', type: 'password', secret: true, value: null, display_value: null },
      {
        id: 'scenario',
        label: 'What happens',
        type: 'select',
        secret: false,
        value: 'slow',
        display_value: 'The portal is slow',
      },
    ]);
    expect(steps[1].fields).toEqual([
      {
        id: 'folders',
        label: 'Folders',
        type: 'tree',
        secret: false,
        value: ['inbox', 'shared/buero'],
        display_value: 'Inbox, Office & accounting',
        display_values: ['Inbox', 'Office & accounting'],
      },
      {
        id: 'kinds',
        label: 'Document types',
        type: 'select',
        secret: false,
        value: ['invoice'],
        display_value: 'Invoices',
        display_values: ['Invoices'],
      },
    ]);
  });

  it('uses the language of the request, for stored labels as well', async () => {
    const uuid = await context.createActiveConnection();
    const { steps } = await get(uuid, 'de');
    expect(steps[0].fields[0].label).toBe('Benutzername');
    expect(steps[0].fields[2].display_value).toBe('Alles funktioniert');
    expect(steps[1].fields[0]).toMatchObject({ label: 'Ordner', display_value: 'Posteingang' });
  });

  it('shows the label of each of several values, null for one without a stored label', async () => {
    const uuid = await context.createActiveConnection();
    await context.query(
      `update connection set step2 = '{"folders": ["shared/buero", "gone", "inbox"], "kinds": []}',
         display_values = '{"folders": {"shared/buero": "Office", "inbox": {"en": "Inbox", "de": "Posteingang"}}}'
       where uuid = $1`,
      [uuid],
    );
    const [, step2] = (await get(uuid, 'de')).steps;
    expect(step2.fields[0]).toMatchObject({ display_value: null, display_values: ['Office', null, 'Posteingang'] });
    expect(step2.fields[1]).toMatchObject({ display_value: null, display_values: [] });
  });

  it('has one step until the second one has been saved', async () => {
    const { steps, status } = await get(await context.createConnection());
    expect(status).toBe('PENDING');
    expect(steps).toHaveLength(1);
  });

  it('never shows a secret', async () => {
    const uuid = await context.createConnection({ fields: { password: 'Tr0ub4dor&3' } });
    for (const lang of ['en', 'de']) expect(JSON.stringify(await get(uuid, lang))).not.toContain('Tr0ub4dor');
  });

  it('does not contact the provider: a portal that is down changes nothing', async () => {
    const uuid = await context.createActiveConnection();
    const before = await get(uuid);
    await context.query(
      `update connection set settings = settings || '{"scenario":"provider_down","fails_from":"setup"}' where uuid = $1`,
      [uuid],
    );
    expect((await get(uuid)).steps[1]).toEqual(before.steps[1]);
  });

  it('shows the same to a token', async () => {
    const uuid = await context.createActiveConnection();
    const { body } = await context.client.requestWithToken(context.token, 'get', path(uuid)).expect(200);
    expect(body.data).toEqual(await get(uuid));
  });
});
