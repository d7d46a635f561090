import { eventually } from '../../harness/eventually';
import { useTestContext } from '../../harness/app/test-context';
import { useClientUser } from '../../sdk/run-client';

/** `docfetch-client` with the real service. */
describe('docfetch-client', () => {
  const context = useTestContext({ role: 'all' });
  const user = useClientUser();
  const documents: string[] = [];

  it('logs in', async () => {
    const { status, stdout } = await user.run(['login', '--url', context.app.url, '--json'], {
      input: context.client.apiKey,
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ url: context.app.url, client_name: 'Acme', kind: 'TEST' });
    expect(stdout).not.toContain(context.client.apiKey);
  });

  it('triggers documents twice in one sandbox, and prints them with tail as they arrive', async () => {
    const tail = user.start(['tail', '--from', 'start', '--interval', '0.1', '--json']);
    const first = await user.run(['trigger', 'document', '--type', 'credit_note', '--json']);
    expect(first).toMatchObject({
      status: 0,
      objects: [{ connection_uuid: expect.any(String), documents: [{ document_type: 'credit_note' }] }],
    });
    await eventually(async () => ofKind(tail.stdout.objects, 'event').length > 0, 'the fetch is told');
    const { objects } = await user.run(['trigger', 'document', '--count', '2', '--format', 'XML', '--json']);
    expect(objects[0]!.documents).toHaveLength(2);
    await eventually(async () => ofKind(tail.stdout.objects, 'document').length >= 3, 'the documents arrive');
    tail.stop();
    expect(await tail.exited).toBe(0);
    const names = ofKind(tail.stdout.objects, 'document').map(
      ({ document }) => (document as { filename: string }).filename,
    );
    expect(names).toEqual(expect.arrayContaining(objectsOf(objects[0]!.documents).map(({ filename }) => filename)));
  });

  it('lists documents, shows one with its attempts, and delivers it again', async () => {
    const listed = await user.run(['transactions', 'list', '--json']);
    documents.push(...listed.objects.map(({ transaction_uuid }) => transaction_uuid as string));
    expect(documents).toHaveLength(3);
    const [first] = documents;
    const shown = await user.run(['transactions', 'get', first!]);
    expect(shown).toMatchObject({ status: 0, stderr: '' });
    expect(shown.stdout).toMatch(
      new RegExp(`^${first}\\n {2}Document {2,}\\S+\\.pdf \\(application/pdf, \\d+ B\\)\\n`),
    );
    const [object] = (await user.run(['transactions', 'get', first!, '--json'])).objects;
    expect(object).toMatchObject({ transaction_uuid: first, delivery_attempts: [] });

    const one = await user.run(['redeliver', first!, '--json']);
    expect(one.objects).toEqual([{ transaction_uuid: first, redelivered: true }]);
    const many = await user.run(['redeliver', '--status', 'available', '--json']);
    expect(many).toMatchObject({ status: 0, objects: [{ count: 3, skipped: 0 }] });
  });

  it('says in German what it does not find', async () => {
    const unknown = '019a9f6e-0003-7c5e-9d0a-1b7c2f3e4d5a';
    const { status, stderr } = await user.run(['transactions', 'get', unknown, '--lang', 'de']);
    expect(status).toBe(5);
    expect(stderr).toMatch(/nicht/);
  });

  const objectsOf = (list: unknown) => list as Record<string, unknown>[];
  const ofKind = (objects: Record<string, unknown>[], kind: string) => objects.filter((each) => each.kind === kind);
});
