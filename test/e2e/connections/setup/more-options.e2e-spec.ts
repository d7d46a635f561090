import { expectError } from '../../../harness/http/expect-error';
import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useSharedContext } from '../../../harness/app/test-context';

describe('POST /v1/connections/{uuid}/step2/{field_id}/more (spec 4.10)', () => {
  const context = useSharedContext();
  const path = (uuid: string, field = 'folders') => `/v1/connections/${uuid}/step2/${field}/more`;
  let uuid: string;
  const more = (body?: object, field?: string) =>
    context.client.requestWithToken(context.token, 'post', path(uuid, field)).send(body);

  beforeAll(async () => {
    uuid = await context.createConnection();
  });

  itChecksConnectionAccess(context, { method: 'post', path: (connection) => path(connection), accepts: ['token'] });

  it.each([undefined, {}, { parent_id: null }])('answers the first level to %p', async (body) => {
    const answer = (await more(body).expect(200)).body;
    expect(answer.data).toMatchObject({ field_id: 'folders', parent_id: null });
    expect(answer.data.options.map(({ value }: { value: string }) => value)).toEqual([
      'inbox',
      'archive',
      'nested',
      'shared',
    ]);
  });

  it('loads the children of a parent, localized', async () => {
    const { body } = await more({ parent_id: 'shared' }).set('Lang', 'de').expect(200);
    expect(body).toEqual({
      data: {
        field_id: 'folders',
        parent_id: 'shared',
        options: [
          { value: 'shared/buero', label: 'Büro & Buchhaltung', has_children: false, selectable: true },
          { value: 'shared/einkauf', label: 'Einkauf', has_children: false, selectable: true },
        ],
      },
    });
  });

  it('loads complete long lists, and nothing below a leaf', async () => {
    expect((await more({ parent_id: 'archive' }).expect(200)).body.data.options).toHaveLength(1000);
    expect((await more({ parent_id: 'archive/0001' }).expect(200)).body.data.options).toEqual([]);
    expect((await more({}, 'kinds').expect(200)).body.data.options).toEqual([]);
  });

  it('answers 404 to a field that the step does not have', async () => {
    expectError(await more({}, 'nothing'), 404, 'FIELD_NOT_FOUND');
    expectError(await more({}, 'nothing').set('Lang', 'de'), 404, 'FIELD_NOT_FOUND', {}, 'de');
  });

  it('reports a parent that no longer exists at the provider', async () => {
    const invalidFields = { parent_id: 'GONE_AT_PROVIDER' };
    expectError(await more({ parent_id: 'spam' }), 422, 'VALIDATION_FAILED', invalidFields);
    expectError(await more({ parent_id: 'spam' }).set('Lang', 'de'), 422, 'VALIDATION_FAILED', invalidFields, 'de');
  });

  it.each<[object, Record<string, string>]>([
    [{ parent_id: 1 }, { parent_id: 'INVALID_TYPE_STRING' }],
    [{ parent_id: '\0' }, { parent_id: 'INVALID_FORMAT' }],
    [
      { parent_id: 'x'.repeat(2049), page: 2 },
      { parent_id: 'TOO_LONG', page: 'UNKNOWN_PROPERTY' },
    ],
  ])('rejects an invalid body', async (body, invalidFields) => {
    expectError(await more(body), 422, 'VALIDATION_FAILED', invalidFields);
    expectError(await more(body).set('Lang', 'de'), 422, 'VALIDATION_FAILED', invalidFields, 'de');
  });
});
