import { buffer } from 'node:stream/consumers';
import { type Fault, FakeS3Server, type SeenRequest } from '../../../test/fakes/s3/fake-s3-server';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { type OpenSession, openSession } from '../core/session/open-session';
import type { DocumentRef } from '../core/source-document';
import { validateFields } from '../core/validate-fields';
import { s3 } from './s3';

const HOME = 's3.eu-central-1.amazonaws.com';

let server: FakeS3Server;
const asked = new Set<string>();
const network = new GuardedNetwork({
  allow: ['127.0.0.0/8'],
  // Every host is the fake.
  lookup: (hostname) => {
    asked.add(hostname);
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  },
});
const sessions: OpenSession[] = [];

function session(given: Record<string, unknown>): OpenSession {
  const { values, invalidFields } = validateFields(s3.step1, { ...server.fields, ...given });
  expect(invalidFields).toEqual([]);
  const { signal } = new AbortController();
  const opened = openSession({ fields: values, step2: {}, network, signal, now: () => new Date() });
  sessions.push(opened);
  return opened;
}

async function listed(opened: OpenSession): Promise<DocumentRef[]> {
  const documents: DocumentRef[] = [];
  for await (const page of s3.list(opened, null, null)) documents.push(...page.documents);
  return documents;
}

const errorBody = (code: string, about: string) => `<?xml version="1.0"?><Error><Code>${code}</Code>${about}</Error>`;
const hostOf = ({ headers }: SeenRequest) => headers.host!.replace(/:\d+$/, '');
/** An address of Amazon's, at the fake's port. */
const at = (host: string) => `http://${host}:${server.port}`;

beforeEach(async () => {
  server = await FakeS3Server.start();
  server.put('a.pdf', '%PDF-1.7 a');
});
afterEach(async () => {
  for (const each of sessions.splice(0)) await each.close();
  await server.stop();
  asked.clear();
});
afterAll(() => network.close());

describe('An Amazon region', () => {
  it.each([
    ['eu-central-1', HOME],
    ['us-gov-west-1', 's3.us-gov-west-1.amazonaws.com'],
    ['cn-north-1', 's3.cn-north-1.amazonaws.com.cn'],
    ['eusc-de-east-1', 's3.eusc-de-east-1.amazonaws.eu'],
  ])('is requested at its own endpoint when none is configured (%s)', async (region, host) => {
    await expect(s3.check(session({ endpoint: '', region }))).rejects.toThrow();
    expect([...asked]).toEqual([host]);
  });
});

describe('A bucket in another of Amazon’s regions', () => {
  const endpoint = `<Endpoint>belege.${HOME}</Endpoint>`;
  const answers: [string, Fault][] = [
    ['301 with a header', { status: 301, headers: { 'x-amz-bucket-region': 'eu-central-1' } }],
    ['301 with an address', { status: 301, body: errorBody('PermanentRedirect', endpoint) }],
    [
      '301 with an older address',
      { status: 301, body: errorBody('PermanentRedirect', endpoint.replace('s3.', 's3-')) },
    ],
    [
      '307',
      { status: 307, headers: { location: `https://belege.${HOME}/` }, body: errorBody('TemporaryRedirect', endpoint) },
    ],
    [
      '400 with a region',
      { status: 400, body: errorBody('AuthorizationHeaderMalformed', '<Region>eu-central-1</Region>') },
    ],
    [
      '400 with a message',
      {
        status: 400,
        body: errorBody(
          'IllegalLocationConstraintException',
          '<Message>The eu-central-1 location constraint is incompatible for the region specific endpoint this request was sent to.</Message>',
        ),
      },
    ],
  ];

  it.each(answers)('is requested and signed there when the response is %s', async (_, fault) => {
    server.fault = (request) => (hostOf(request) === HOME ? undefined : fault);
    const opened = session({ endpoint: at('s3.us-east-1.amazonaws.com'), region: 'us-east-1' });
    const [ref] = await listed(opened);
    expect((await buffer((await s3.download(opened, ref!)).stream)).toString()).toBe('%PDF-1.7 a');
    expect(server.requests.map(hostOf)).toEqual(['s3.us-east-1.amazonaws.com', HOME, HOME]);
  });

  it('is found in Amazon’s first region, which responses omit', async () => {
    const message =
      '<Message>The unspecified location constraint is incompatible for the region specific endpoint</Message>';
    const body = errorBody('IllegalLocationConstraintException', message);
    server.keys.region = 'us-east-1';
    server.fault = (request) => (hostOf(request) === 's3.us-east-1.amazonaws.com' ? undefined : { status: 400, body });
    expect(await listed(session({ endpoint: at('s3.af-south-1.amazonaws.com'), region: 'af-south-1' }))).toHaveLength(
      1,
    );
  });

  it.each([
    ['s3.amazonaws.com', HOME],
    ['s3-us-west-2.amazonaws.com', HOME],
    ['s3-external-1.amazonaws.com', HOME],
    ['s3.dualstack.us-west-2.amazonaws.com', 's3.dualstack.eu-central-1.amazonaws.com'],
  ])('is found from %s', async (from, to) => {
    server.fault = (request) => (hostOf(request) === to ? undefined : answers[0]![1]);
    expect(await listed(session({ endpoint: at(from), region: 'us-west-2' }))).toHaveLength(1);
  });

  it('is found when only the endpoint is wrong', async () => {
    server.fault = (request) => (hostOf(request) === HOME ? undefined : answers[0]![1]);
    expect(await listed(session({ endpoint: at('s3.us-east-1.amazonaws.com') }))).toHaveLength(1);
  });

  it('is the same account with the same documents', async () => {
    server.fault = (request) => (hostOf(request) === HOME ? undefined : answers[0]![1]);
    const moved = session({ endpoint: at('s3.us-east-1.amazonaws.com'), region: 'us-east-1' });
    expect(await s3.check(moved)).toMatchObject({ id: `s3.us-east-1.amazonaws.com:${server.port}/belege` });
    const keys = async (opened: OpenSession) => (await listed(opened)).map(({ dedupeKey }) => dedupeKey);
    expect(await keys(moved)).toEqual(await keys(session({ endpoint: at(HOME) })));
  });

  it.each(['evil.example/', 'eu-central-1.evil.example', 'x', 'eu-central-1@evil.example', '169.254.169.254', ''])(
    'is not searched for when no region is reported (%s)',
    async (region) => {
      const body = errorBody('PermanentRedirect', `<Region>${region}</Region><Endpoint>s3.${region}</Endpoint>`);
      for (const headers of [undefined, { 'x-amz-bucket-region': region }]) {
        server.fault = () => ({ status: 301, body, headers: { location: 'http://evil.example/', ...headers } });
        await expect(listed(session({ endpoint: at('s3.us-east-1.amazonaws.com') }))).rejects.toThrow('S3: 301');
      }
      expect([...asked]).toEqual(['s3.us-east-1.amazonaws.com']);
    },
  );

  it.each(['s3.example.com', 's3.us-east-1.amazonaws.com.evil.example', 's3-us-east-1-amazonaws.com'])(
    'is requested from no other host when the first one is not an Amazon host (%s)',
    async (host) => {
      let answered = 0;
      server.fault = () => (answered++ === 0 ? answers[0]![1] : undefined);
      expect(await listed(session({ endpoint: at(host), region: 'us-east-1' }))).toHaveLength(1);
      expect([...asked]).toEqual([host]);
    },
  );

  it('is requested at most three times when every response names another region', async () => {
    let answered = 0;
    server.fault = () => ({ status: 301, headers: { 'x-amz-bucket-region': `eu-west-${++answered}` } });
    await expect(listed(session({ endpoint: at('s3.amazonaws.com') }))).rejects.toThrow('S3: 301');
    expect(server.requests).toHaveLength(3);
  });
});
