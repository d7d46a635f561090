import { changed, useDeclaredProvider } from '../../../../test/harness/declarative/declared-provider';
import { Compiler } from '../compile/compiler';
import { compileProvider } from '../compile/provider';
import { readManifest } from '../language/read-manifest';
import { ProviderClient } from './provider-client';

const provider = useDeclaredProvider();
const SITE = {
  base: 'https://{$site}.acme.test/v1',
  'auth.fields.site': { label: { en: 'Site', de: 'Site' }, format: { characters: 'subdomain', max: 63 } },
};

/** A client of the connection of one site. */
function clientOf(site: string, configured?: string): ProviderClient {
  const { manifest, manifestErrors } = readManifest('acme.yaml', changed(SITE));
  const compiled = compileProvider(manifest!, new Compiler(manifestErrors));
  expect(manifestErrors.list).toEqual([]);
  const session = provider.session(provider.declare(SITE), { fields: { site } });
  return new ProviderClient(compiled, { ...session, apiBaseUrl: configured ?? compiled.base });
}

describe('The address of an API whose host begins with a field', () => {
  it('is that of the connection, unless the deployment has configured another one', () => {
    expect(clientOf('acme-test').session.apiBaseUrl).toBe('https://acme-test.acme.test/v1');
    expect(clientOf('acme', 'https://proxy.test').session.apiBaseUrl).toBe('https://proxy.test');
  });

  it.each(['evil.test/', 'evil.test#', 'a.b', 'a@b', ''])('cannot be another host: %j', (site) => {
    const [field] = provider.declare(SITE).step1.filter(({ id }) => id === 'site');
    expect(new RegExp(`^(?:${field!.pattern})$`).test(site)).toBe(false);
  });
});
