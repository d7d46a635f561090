import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ACME, changed } from '../../../test/harness/declarative/declared-provider';

interface ProviderPage {
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

const MODULE = './provider-pages.mjs';
let providerPages: (files: Readonly<Record<string, string>>) => ProviderPage[];
beforeAll(async () => ({ providerPages } = (await import(MODULE)) as { providerPages: typeof providerPages }));

const pageWith = (changes: Readonly<Record<string, unknown>>) =>
  providerPages({ 'providers/acme.yaml': changed(changes) })[0]!.markdown;

describe('The page of a provider', () => {
  it('says what is fetched, what the user needs, the limits, the maturity and the gaps', () => {
    expect(providerPages({ 'providers/acme.yaml': ACME })[0]).toMatchObject({ path: 'providers/acme', title: 'Acme' });
    const markdown = pageWith({
      help_url: 'https://acme.test/keys',
      limits: { per_second: 1, per_minute: 40, concurrency: 1 },
      unknown: ['The order of the list.', { en: 'Whether drafts are listed.', de: 'Ob Entwürfe in der Liste sind.' }],
    });
    for (const text of [
      'The integration `acme`, an accounting tool.',
      '| invoices | PDF | the whole list | `number`, `date`, `amount`, `currency` |',
      '- **API key**\n',
      'Where users find it: <https://acme.test/keys>',
      '- At most a request per second and account.\n- At most 40 requests per minute and account.\n- One download at',
      '`BETA`: ',
      '- The order of the list.\n- Whether drafts are listed.\n',
    ])
      expect(markdown).toContain(text);
    expect(pageWith({ maturity: 'STABLE' })).toContain('`STABLE`: recorded with a live account');
    expect(pageWith({})).toContain('## Known gaps\n\nNone are known.');
    expect(pageWith({})).not.toContain('written from its documentation');
    expect(pageWith({ described_by: 'documentation' })).toContain(
      'with a live account.\n\nThe tests compare with a description of the API that was written from its documentation.',
    );
  });

  it.each([
    [{ strategy: 'snapshot', recent: '60d', every: '1d' }, 'documents of the last 60 days; the whole list every day'],
    [{ strategy: 'updated_since', at: 'at', overlap: '1h', recheck: '7d' }, 'changed; the whole list every 7 days'],
    [{ strategy: 'created_windows', at: 'at', overlap: '1h' }, 'what has been created'],
    [{ strategy: 'months', from: '2020-01', recheck: 3 }, 'the latest 3 months'],
    [{ strategy: 'cursor' }, 'what has happened since the last one'],
  ])('says how %j lists', (changes, text) => {
    expect(pageWith({ 'streams.invoice.changes': changes })).toContain(`${text} |`);
  });

  it('says what the operator registers for OAuth, and which choices the second step has', () => {
    const markdown = pageWith({
      auth: {
        type: 'oauth2',
        authorize: 'https://acme.test/a',
        token: 'https://acme.test/t',
        client_auth: 'post',
        scopes: ['read'],
        scopes_of: { received: ['bills'] },
      },
      choose: {
        company: { label: { en: 'Company', de: 'Firma' }, multiple: true, get: '/c', items: '.', value: 'id' },
      },
      'streams.invoice.document': [{ name: 'xml', get: '/x', format: 'xml' }, { get: '/p' }],
    });
    expect(markdown).toContain(
      '(`OAUTH_ACME_CLIENT_ID`, [settings](/guides/settings)); it asks for the scopes `read`, `bills`.',
    );
    expect(markdown).toContain('In the second step: **Company**, one or several');
    expect(markdown).toContain('| XML, PDF |');
  });

  it('exists for every provider of the build', () => {
    const folder = resolve('src/integrations/providers');
    const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    const pages = providerPages(
      Object.fromEntries(names.map((name) => [name, readFileSync(resolve(folder, name), 'utf8')])),
    );
    expect(pages.map(({ path }) => `${path.replace('providers/', '')}.yaml`).sort()).toEqual(names.sort());
    for (const { markdown } of pages) expect(markdown).not.toMatch(/undefined|\[object|NaN/);
  });
});
