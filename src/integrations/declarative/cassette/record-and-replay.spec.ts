import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFake } from '../../../../test/fakes/declared-fakes';
import type { FakeAccount } from '../../../../test/fakes/described/fake-account';
import type { FakeProvider } from '../../../../test/fakes/described/fake-provider';
import { changed } from '../../../../test/harness/declarative/declared-provider';
import { GuardedNetwork } from '../../../platform/network/guarded-network';
import { validateFields } from '../../core/validate-fields';
import { declareIntegration } from '../declare-integration';
import { type Cassette, parseCassette } from './cassette';
import { recordProvider } from './record-provider';
import { replayProvider } from './replay-provider';
import { inOrder, ReplayingNetwork } from './replaying-network';

/** Values that must not leave the machine, besides the credentials. */
const PERSONAL = {
  note: 'Für Erika Mustermann, bitte nicht telefonisch unter +49 171 2345678',
  email: 'erika@kanzlei-mustermann.example',
  iban: 'DE02 1203 0000 0000 2020 51',
  link: 'https://files.example/kunde-4711/Rechnung.pdf?X-Signature=5f2b9c0d8e7a6b5c4d3e2f1a',
  session: 'session-1f7a9c3e5b2d',
  lines: [{ description: 'Beratung Scheidung', price: '8472.31' }],
};
const VALUES = [
  ...Object.values(PERSONAL).flat(),
  'Müller',
  'Mustermann',
  'Beratung',
  '8472.31',
  'kunde-4711',
  '2345678',
];

/** What would show a value: as it is, for an address, in JSON, and in base64 wherever it begins. */
const formsOf = (value: string): string[] => [
  value,
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
  ...[0, 1, 2].map((before) =>
    Buffer.from('-'.repeat(before) + value)
      .toString('base64')
      .slice(before + 1, -4),
  ),
];

const network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
afterAll(() => network.close());

const compiled = (id: string, changes: Readonly<Record<string, unknown>> = {}) => {
  const text = readFileSync(join(__dirname, `../../providers/${id}.yaml`), 'utf8');
  const declared = declareIntegration(`${id}.yaml`, changed(changes, text), { isOfBuild: true });
  expect(declared.manifestErrors).toEqual([]);
  return { integration: declared.integration, ...declared.compiled! };
};

describe.each([
  ['scaleway', 'with documents in base64', 'documents'],
  ['moneybird', 'with redirects and a choice', 'sales_invoices'],
  ['mollie', 'with addresses of pages and documents', 'received'],
  ['xero', 'with OAuth', 'sales_invoices'],
  ['ovhcloud', 'with signed requests', 'bill'],
  ['chargebee', 'with a host for each customer', 'invoices'],
])('A recording of %s, %s,', (id, _, stream) => {
  let server: FakeProvider;
  let account: FakeAccount;
  let secret: string;

  beforeEach(async () => {
    server = await startFake(id);
    account = server.account();
    for (let n = 0; n < 8; n++) account.add(`2026-0${n + 1}-15`, PERSONAL);
    server.declaration.others?.(account);
    secret = server.authorization ? server.authorization.tokens().access_token : account.key();
  });
  afterEach(() => server.stop());

  const record = () => {
    const { manifest, provider, integration } = compiled(id);
    const given = server.declaration.key?.fields(secret, account) ?? {};
    const { values: fields } = validateFields(integration.step1, given);
    const accessToken = server.authorization ? secret : null;
    const signal = new AbortController().signal;
    const access = { fields, accessToken, network, apiBaseUrl: server.url, now: new Date(), signal };
    return recordProvider(manifest, provider, access, { documents: 3, downloads: 2 });
  };

  it('has neither credentials nor personal values, in no encoding', async () => {
    const { text, cassette, deviation } = await record();
    const contents = account.entries.map(({ content }) => content.toString());
    const ids = account.entries.map((entry) => entry.id).filter((each) => each.length >= 8);
    for (const value of [secret, ...VALUES.filter((each) => typeof each === 'string'), ...contents, ...ids])
      for (const form of formsOf(value)) expect([value, text.includes(form)]).toEqual([value, false]);
    const names = server.declaration.key?.headers ?? ['authorization'];
    for (const { headers } of server.requests)
      for (const name of names) if (headers[name] !== undefined) expect(text).not.toContain(headers[name]);
    expect(deviation).toBeNull();
    expect(cassette).toMatchObject({ provider: id, language: 1, host: new URL(server.url).host });
    expect(server.requests.length).toBeGreaterThan(0);
  });

  it('has what the file makes of the answers, and the same again in a replay without network', async () => {
    const { text } = await record();
    await server.stop();
    const cassette = parseCassette(text);
    const found = Object.values(cassette.result.streams).map((each) => ('error' in each ? each : each.documents));
    for (const documents of found) expect(documents).toHaveLength(Math.min(3, (documents as readonly object[]).length));
    expect(found.flat().length).toBeGreaterThanOrEqual(3);
    for (const each of found.flat()) expect(each).not.toHaveProperty('error');
    const contents = found.flat().flatMap((each) => ('content' in each && each.content) || []);
    expect(contents.length).toBeGreaterThan(1);
    for (const content of contents) expect(content).toMatchObject({ mime_type: 'application/pdf', bytes: 191 });
    expect(await replayProvider(compiled(id), cassette)).toBeNull();
    server = await startFake(id);
  });

  it('does not fit a file that makes something else of the answers, and says where', async () => {
    const { cassette } = await record();
    const replay = (changes: Readonly<Record<string, unknown>>) => replayProvider(compiled(id, changes), cassette);
    expect(await replay({ [`streams.${stream}.metadata.number`]: 'no_such_member' })).toMatch(
      new RegExp(`^streams\\.${stream}\\.documents\\[0\\]\\.metadata\\.number: recorded ".+", now absent$`),
    );
    expect(await replay({ [`streams.${stream}.list.get`]: '/elsewhere' })).toBe(
      'GET /elsewhere: the cassette has no such request',
    );
    expect(await replay({ [`streams.${stream}.list.query.more`]: 'yes' })).toMatch(
      /^GET \/\S+: query\.more: recorded absent, now "yes"$/,
    );
    expect(await replay({ [`streams.${stream}.list.items`]: 'nothing' })).toMatch(
      new RegExp(`^streams\\.${stream}\\.documents: recorded \\[.*, now absent$|answers without a list at "nothing"`),
    );
  });

  it('does not fit after the provider answers something else', async () => {
    const { cassette } = await record();
    const recorded = cassette.result.streams[stream] as { documents: readonly { metadata: { number: string } }[] };
    const { number } = recorded.documents[0]!.metadata;
    const whole = new RegExp(`(?<=[:"])${number.replaceAll('.', '\\.')}(?=[",}])`, 'g');
    const exchanges = JSON.parse(
      JSON.stringify(cassette.exchanges).replaceAll(whole, '99999'),
    ) as Cassette['exchanges'];
    expect(await replayProvider(compiled(id), { ...cassette, exchanges })).toMatch(
      // With another id, the file asks for something else.
      new RegExp(
        `^streams\\.${stream}\\.documents\\[0\\]\\.metadata\\.number: recorded ".*", now ".*99999.*"$|^(GET|POST) .*/99999.*: the cassette has no such request$`,
      ),
    );
  });
});

it('A recording does not tell the host of a customer, and follows addresses on it', async () => {
  const file = changed({
    base: 'https://{$site}.acme.test/v1',
    'auth.fields.site': { label: { en: 'Site', de: 'Site' }, format: { characters: 'subdomain', max: 63 } },
    'streams.invoice.list.page': { style: 'next', value: 'next' },
    account: { get: '/me', id: '$site' },
  });
  const { manifest, provider } = declareIntegration('acme.yaml', file).compiled!;
  const headers = { 'content-type': 'application/json' };
  const answers = [
    {},
    { data: [{ id: 711, number: 'R-1' }], next: 'https://mustermann.acme.test/v1/invoices?after=711' },
    { data: [{ id: 712, number: 'R-2' }], next: null },
  ].map((json) => ({ status: 200, headers, json }));
  const live = new ReplayingNetwork(inOrder(answers), 'https://mustermann.acme.test/v1', []);
  const recording = await recordProvider(
    manifest,
    provider,
    {
      fields: { api_key: 'a-secret-key', site: 'mustermann' },
      accessToken: null,
      network: live,
      apiBaseUrl: 'https://mustermann.acme.test/v1',
      now: new Date(),
      signal: new AbortController().signal,
    },
    { documents: 2, downloads: 0 },
  );
  expect(live.requests.map(({ url }) => url)).toEqual(['/me', '/invoices', '/invoices?after=711']);
  const { text, cassette, deviation } = recording;
  expect(deviation).toBeNull();
  expect(text).not.toMatch(/mustermann|a-secret-key/);
  expect(cassette.host).toBe('{$site}.acme.test');
  expect(cassette.exchanges.map(({ request }) => request.url)).toEqual([
    '/me',
    '/invoices',
    expect.stringMatching(/^\/invoices\?after=\d{3}$/),
  ]);
  expect(await replayProvider({ manifest, provider }, cassette)).toBeNull();
});
