import Ajv from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACME, changed } from '../../../test/harness/declarative/declared-provider';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { openSession } from '../core/session/open-session';
import { declareIntegration } from './declare-integration';

const LABEL = { en: 'Key', de: 'Schlüssel' };
const errorsOf = (text: string) => declareIntegration('providers/acme.yaml', text).manifestErrors;
const faultsWith = (changes: Record<string, unknown>) => errorsOf(changed(changes)).join('\n');

describe("A provider's file", () => {
  it('becomes an integration', () => {
    const { integration, manifestErrors } = declareIntegration('acme.yaml', ACME);
    expect(manifestErrors).toEqual([]);
    expect(integration).toMatchObject({
      id: 'acme',
      name: { en: 'Acme', de: 'Acme' },
      maturity: 'BETA',
      authType: 'CREDENTIALS',
      documentTypes: ['invoice'],
      apiBaseUrl: 'https://api.acme.test/v1',
      rateLimits: { concurrency: 2, requestsPerSecond: 2 },
    });
    expect(integration.step1.map(({ id }) => id)).toEqual(['api_key', 'startdate']);
    expect(integration.step2).toBeUndefined();
  });

  it('says how well it is tested, how users find it, and what is not known', () => {
    const declared = (changes: Record<string, unknown>) => declareIntegration('acme.yaml', changed(changes));
    const { integration, manifestErrors } = declared({
      maturity: 'STABLE',
      aliases: ['acme books', 'müller'],
      help_url: 'https://acme.test/keys?tab=1#new',
      unknown: ['The order of the list.', { en: 'Do drafts have a number?', de: 'Haben Entwürfe eine Nummer?' }],
    });
    expect(manifestErrors).toEqual([]);
    expect(integration).toMatchObject({
      maturity: 'STABLE',
      aliases: ['acme books', 'müller'],
      helpUrl: { en: 'https://acme.test/keys?tab=1#new', de: 'https://acme.test/keys?tab=1#new' },
    });
    const byLanguage = { en: 'https://acme.test/en', de: 'https://acme.test/de' };
    expect(declared({ help_url: byLanguage }).integration.helpUrl).toEqual(byLanguage);
  });

  it('names every error with file and line', () => {
    const text = ACME.replace('category: ACCOUNTING', 'category: BOOKS').replace('id: id\n', 'id: id | md5\n');
    expect(errorsOf(text)).toEqual([
      'acme.yaml:5: category: must be one of MAILBOX, CLOUD_STORAGE, ACCOUNTING, PORTAL',
    ]);
    expect(errorsOf(text.replace('BOOKS', 'PORTAL'))).toEqual([
      expect.stringMatching(/^acme\.yaml:19: streams\.invoice\.id: "id \| md5": there is no converter md5/),
    ]);
  });

  it.each([
    [{ 'streams.invoice.list.limit': 5 }, 'streams.invoice.list.limit: there is no such member'],
    [{ 'streams.invoice.document': null }, 'streams.invoice: document is missing'],
    [{ maturity: 'ALPHA' }, 'maturity: must be one of BETA, STABLE'],
    [{ aliases: ['Acme'] }, 'aliases.0: must match pattern'],
    [{ help_url: 'http://acme.test' }, 'help_url: must match pattern'],
    [{ help_url: { en: 'https://acme.test' } }, 'help_url: de is missing'],
    [{ unknown: [{ en: 'Why?' }] }, 'unknown.0: de is missing'],
    [{ id: 'other' }, 'id: the file of other is other.yaml'],
    [{ zone: 'Europe/Bonn' }, 'zone: there is no time zone Europe/Bonn'],
    [{ base: 'http://api.acme.test' }, 'base: must match pattern'],
    [{ base: 'https://{$site}.test' }, 'base: must match pattern'],
    [{ base: 'https://api.{$site}.acme.test' }, 'base: must match pattern'],
    [{ base: 'https://api.acme.test/{$site}' }, 'base: must match pattern'],
    [{ base: 'https://{$site}.acme.test' }, 'base: "$site": there is no $site here'],
    [{ base: 'https://{$api_key}.acme.test' }, 'there is no $api_key here'],
    [
      {
        base: 'https://{$site}.acme.test',
        'auth.fields.site': { label: { en: 'Site', de: 'Site' }, format: { characters: 'visible' } },
      },
      'base: $site has to be required, with a format of letters, digits and hyphens',
    ],
    [{ 'auth.fields': {} }, 'there is no $api_key here'],
    [{ 'streams.invoice.list': { post: '/list', items: 'data' } }, 'needs safe: true'],
    [{ 'streams.invoice.list.post': '/list' }, 'needs either get or post'],
    [{ 'streams.invoice.list.body': { a: 1 } }, 'only a POST has a body'],
    [{ 'streams.invoice.metadata.number': '$api_key' }, 'there is no $api_key here'],
    [{ 'streams.invoice.document': { get: '/{$id}/{secret_path}' } }, 'needs record'],
    [{ 'streams.invoice.document': { format: 'pdf' } }, 'needs get, post or url'],
    [{ 'streams.invoice.details': 'each' }, 'needs record'],
    [{ 'streams.invoice.list.get': '/{$parent.id}' }, 'there is no $parent here'],
    [{ 'streams.invoice.list.of': { get: '/parents' } }, 'streams.invoice.list.of: items is missing'],
    [
      {
        'streams.invoice.list.of': { get: '/parents', items: '.' },
        'streams.invoice.changes': { strategy: 'updated_since', at: 'at', overlap: '1d' },
      },
      'streams.invoice.list.of: needs the strategy snapshot',
    ],
    [{ 'streams.invoice.list.of': { get: '/parents', items: '.', at: 'at' } }, 'list.of.at: needs recent'],
    [{ 'streams.invoice.list.ceiling': 0 }, 'streams.invoice.list.ceiling: must be >= 1'],
    [
      {
        'streams.invoice.changes': { strategy: 'created_windows', at: 'at', overlap: '1d' },
        'streams.invoice.ready': 'pdf',
      },
      'created_windows with ready needs record',
    ],
    [{ 'streams.invoice.stable': false }, 'stable: false needs revision'],
    [{ 'streams.invoice.per': 'company' }, 'there is no such choice'],
    [{ 'streams.invoice.type': 'contract' }, 'users cannot select contract'],
    [{ 'streams.invoice.list.page': { style: 'cursor' } }, 'cursor needs value'],
    [{ 'streams.invoice.changes': { strategy: 'guess' } }, 'streams.invoice.changes'],
    [{ 'auth.type': 'none' }, 'auth'],
    [{ 'account.mode': { field: 'token', starts: 't_', name: 'test' } }, 'account.mode.field: there is no such field'],
    [{ 'streams.invoice.document': [{ get: '/a' }, { get: '/b' }] }, 'needs a name of its own'],
    [{ 'streams.invoice.metadata.flavor': 'flavor' }, 'streams.invoice.metadata'],
  ])('%j is refused', (changes, reason) => expect(faultsWith(changes)).toContain(reason));

  it('names code that signs its requests only if it is one of the build', () => {
    const auth = {
      type: 'signed',
      signature: 'ovh',
      with: { application_key: '{$key}', application_secret: '{$secret}', consumer_key: '{$secret}' },
      fields: { key: { label: LABEL }, secret: { secret: true, label: LABEL } },
    };
    const declared = (change: object, isOfBuild: boolean) =>
      declareIntegration('acme.yaml', changed({ auth: { ...auth, ...change } }), { isOfBuild }).manifestErrors.join(
        '\n',
      );
    expect(declared({}, true)).toBe('');
    expect(declared({}, false)).toMatch(
      /^acme\.yaml:\d+: auth\.signature: only files of the build can name a signature$/,
    );
    expect(declared({ signature: 'md5' }, true)).toContain('auth.signature: must be one of aws_v4, edgegrid, ovh');
    expect(declared({ with: { application_key: 'a', application_secret: 'b' } }, true)).toContain(
      'auth.with: consumer_key is missing',
    );
    expect(declared({ with: { ...auth.with, region: 'x' } }, true)).toContain(
      'auth.with.region: ovh has no such value',
    );
    expect(declared({ with: { ...auth.with, consumer_key: '{$token}' } }, true)).toContain('there is no $token here');
  });

  it('with several streams says how the ids of their documents differ', () => {
    const stream = {
      list: { get: '/other', items: 'data' },
      changes: { strategy: 'snapshot' },
      document: { get: '/x' },
    };
    expect(errorsOf(changed({ 'streams.received': { ...stream, kind: 'received' } }))).toEqual([
      expect.stringMatching(/^acme\.yaml:\d+: streams\.received: needs key, because invoice has none either: /),
    ]);
    const key = 'received/{$id}';
    expect(errorsOf(changed({ 'streams.received': { ...stream, kind: 'received', key } }))).toEqual([]);
  });

  it('that is no YAML, or one that grows without bounds, is refused', () => {
    expect(errorsOf('id: [')).toEqual([expect.stringMatching(/^acme\.yaml:\d+: /)]);
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
    for (const [name, before] of [
      ['b', 'a'],
      ['c', 'b'],
      ['d', 'c'],
      ['e', 'd'],
    ])
      bomb.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`);
    expect(errorsOf(bomb.join('\n'))).toEqual([expect.stringContaining('Excessive alias count')]);
  });

  it('with errors disables only itself: its integration exists and says why every call fails', async () => {
    const { integration } = declareIntegration('acme.yaml', 'docfetch: 2');
    expect(integration).toMatchObject({
      id: 'acme',
      manifestErrors: expect.arrayContaining([expect.stringContaining('acme.yaml:1')]),
    });
    const network = new GuardedNetwork({ allow: [] });
    const session = openSession({
      fields: {},
      step2: {},
      network,
      signal: AbortSignal.timeout(1000),
      now: () => new Date(),
    });
    await expect(integration.check(session)).rejects.toThrow('acme.yaml:1');
    await expect(integration.list(session, null, null)[Symbol.asyncIterator]().next()).rejects.toThrow('acme.yaml:1');
    await network.close();
  });

  it('can be completed by editors: the schema describes every member of a stream', () => {
    const schema = JSON.parse(readFileSync(join(__dirname, 'language/provider.schema.json'), 'utf8')) as {
      definitions: { stream: { properties: object } };
    };
    expect(Object.keys(schema.definitions.stream.properties)).toEqual(
      expect.arrayContaining(['list', 'changes', 'document']),
    );
    // The service does not check it at each start.
    const ajv = new Ajv();
    expect(ajv.validateSchema(schema)).toBe(true);
  });
});
