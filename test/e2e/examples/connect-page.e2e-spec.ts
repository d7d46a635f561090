import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { useTestContext } from '../../harness/app/test-context';
import { ExampleProcess } from './example-process';

/** The backend of the example; test/ui/connect tests its page in a browser. */
describe('docs/examples/connect-page.mjs', () => {
  const context = useTestContext();
  let example: ExampleProcess;
  let origin: string;

  beforeAll(async () => {
    const { apiKey, signingSecret, environmentUuid } = context.client;
    example = new ExampleProcess('connect-page.mjs', {
      DOCFETCH_URL: context.app.url,
      API_KEY: apiKey,
      SECRET: signingSecret,
    });
    origin = (await example.url()).replace(/\/$/, '');
    const update = context.app.app.get(UpdateEnvironment, { strict: false });
    await update.update('test', environmentUuid, { returnOrigins: [origin] });
  });
  afterAll(() => example?.kill());

  const post = (path: string, body = '', from = origin) =>
    fetch(`${origin}${path}`, { method: 'POST', headers: { origin: from }, body });
  const getToken = async () => ((await (await post('/token')).json()) as { token: string }).token;

  it('gets a token for the identity of its customer', async () => {
    const token = await getToken();
    const { body } = await context.client.requestWithToken(token, 'get', '/v1/ui/session').expect(200);
    expect(body.data).toMatchObject({ identity: { client_identifier: 'customer-4711' }, client_origin: origin });
  });

  it('answers no page of another origin', async () => {
    for (const path of ['/token', '/result']) expect((await post(path, '', 'https://evil.example')).status).toBe(403);
  });

  it('believes a signed result only', async () => {
    const token = await getToken();
    const returned = await context.client
      .requestWithToken(token, 'post', '/v1/ui/return')
      .send({ result: 'cancelled', action: 'none' })
      .expect(200);
    const { url } = (returned.body as { data: { url: string } }).data;
    const answer = await post('/result', url);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ result: 'cancelled', action: 'none' });
    expect((await post('/result', url.replace('cancelled', 'success'))).status).toBe(422);
    expect((await post('/result', 'no address')).status).toBe(422);
  });

  it('has a policy that allows nothing inline', async () => {
    const policy = (await fetch(`${origin}/`)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });
});
