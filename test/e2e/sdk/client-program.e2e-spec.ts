import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createMcpServer } from '../../../sdk/cli/src/mcp/server';
import { createDocfetch } from '../../../sdk/typescript/dist/index.js';
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

  describe('mcp', () => {
    const assistant = new Client({ name: 'test', version: '1' });
    const answers: string[] = [];
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content, isError = false } = await assistant.callTool({ name, arguments: args });
      const { text } = (content as { text: string }[])[0]!;
      answers.push(text);
      return { isError, answer: JSON.parse(text) as Record<string, unknown> };
    };

    beforeAll(async () => {
      const client = createDocfetch({ baseUrl: context.app.url, apiKey: context.client.apiKey });
      const [ofServer, ofClient] = InMemoryTransport.createLinkedPair();
      await createMcpServer(client, new AbortController().signal).server.connect(ofServer);
      await assistant.connect(ofClient);
    });
    afterAll(() => assistant.close());

    it('has only tools that read', async () => {
      const { tools } = await assistant.listTools();
      expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
        ['find_connections', true],
        ['explain_connection', true],
        ['list_failures', true],
        ['show_delivery', true],
      ]);
    });

    it('explains a connection and lists documents that could not be downloaded', async () => {
      const uuid = await context.createActiveConnection({ scenario: 'broken_document', documents: 2 });
      await eventually(async () => {
        const { answer } = await call('explain_connection', { connection_uuid: uuid });
        return (answer.last_fetch as { status: string } | null)?.status === 'PARTIAL';
      }, 'the first fetch ends');
      const { answer } = await call('explain_connection', { connection_uuid: uuid });
      expect(answer).toMatchObject({
        explanation: expect.arrayContaining([
          'The connection is ACTIVE, its health is OK.',
          expect.stringMatching(/^The last fetch is PARTIAL: \d+ documents seen/),
        ]),
        connection: { uuid, status: 'ACTIVE' },
        history: expect.arrayContaining([expect.objectContaining({ type: 'FETCH_FINISHED' })]),
      });
      const failures = (await call('list_failures', { connection_uuid: uuid })).answer;
      expect(failures).toMatchObject({
        deliveries_failed: [],
        documents_not_downloaded: [{ code: expect.stringMatching(/^DOCUMENT_/), filename: expect.any(String) }],
      });
    });

    it('finds the connection of a customer and shows a delivery', async () => {
      const found = await call('find_connections', { client_identifier: 'docfetch-client' });
      expect(found.answer).toMatchObject({ found: true, connections: [{ integration_id: 'sandbox' }] });
      const shown = await call('show_delivery', { transaction_uuid: documents[0] });
      expect(shown.answer).toMatchObject({
        explanation: ['The client application can pull it. It is not pushed.', 'No attempt has been made.'],
        provisioning: { status: 'AVAILABLE' },
        attempts: [],
      });
    });

    it('answers what it may not know or does not find with the code of the service', async () => {
      const unknown = await call('show_delivery', { transaction_uuid: '019a9f6e-0003-7c5e-9d0a-1b7c2f3e4d5a' });
      expect(unknown).toMatchObject({ isError: true, answer: { code: 'TRANSACTION_NOT_FOUND' } });
    });

    it('shows no credentials, no input of users, and no content of documents', () => {
      const all = answers.join('\n');
      expect(all).not.toContain(context.client.apiKey);
      expect(all).not.toMatch(/base64|"fields"|"metadata"|password|response_excerpt/);
    });
  });

  const objectsOf = (list: unknown) => list as Record<string, unknown>[];
  const ofKind = (objects: Record<string, unknown>[], kind: string) => objects.filter((each) => each.kind === kind);
});
