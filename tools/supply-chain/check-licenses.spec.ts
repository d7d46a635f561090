import { checkLicenses, type Component, type Policy } from './check-licenses';

const policy = (changes: Partial<Policy> = {}): Policy => ({
  allowed: ['MIT', 'ISC'],
  toolsOnly: [],
  undeclared: [],
  ...changes,
});
const component = (license: string | null, changes: Partial<Component> = {}): Component => ({
  name: 'acme',
  version: '1.2.3',
  ...(license !== null && { licenses: [{ expression: license }] }),
  ...changes,
});
const DEVELOPMENT = { properties: [{ name: 'cdx:npm:package:development', value: 'true' }] };

describe('The license of a package', () => {
  it.each(['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND ISC'])('may be %s', (license) => {
    expect(checkLicenses([component(license)], policy())).toEqual([]);
  });

  it.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'UNLICENSED', 'SEE LICENSE IN file.txt', 'Apache 2'])(
    'may not be %s, which is not in the list',
    (license) => {
      expect(checkLicenses([component(license)], policy())).toEqual([`acme@1.2.3: ${license} is not allowed`]);
    },
  );

  it('is rejected when a package lists several and one is not allowed', () => {
    const licenses = [{ license: { id: 'MIT' } }, { license: { id: 'GPL-3.0-only' } }];
    expect(checkLicenses([component(null, { licenses })], policy())).toEqual([
      'acme@1.2.3: MIT AND GPL-3.0-only is not allowed',
    ]);
  });

  it('is configured for one version when a package declares none', () => {
    const undeclared = [{ package: 'acme@1.2.3', license: 'MIT', evidence: 'LICENSE' }];
    expect(checkLicenses([component(null)], policy({ undeclared }))).toEqual([]);
    expect(checkLicenses([component(null)], policy())).toEqual([
      expect.stringMatching(/^acme@1.2.3: declares no license/),
    ]);
    expect(checkLicenses([component(null, { version: '2.0.0' })], policy({ undeclared }))).toHaveLength(2);
  });

  it('may be another one for tools, but not for shipped packages', () => {
    const toolsOnly = [{ package: 'ac*', license: 'MPL-2.0', reason: 'tests' }];
    expect(checkLicenses([component('MPL-2.0', DEVELOPMENT)], policy({ toolsOnly }))).toEqual([]);
    expect(checkLicenses([component('GPL-3.0-only', DEVELOPMENT)], policy({ toolsOnly }))[0]).toMatch(/not allowed/);
    expect(checkLicenses([component('MPL-2.0')], policy({ toolsOnly }))).toEqual([
      'acme@1.2.3: MPL-2.0 is allowed for tools only, and this package is shipped',
    ]);
  });

  it('must not be configured without a package that needs the entry', () => {
    const undeclared = [{ package: 'gone@1.0.0', license: 'MIT', evidence: 'LICENSE' }];
    expect(checkLicenses([component('MIT')], policy({ undeclared }))).toEqual([
      'licenses.json names gone@1.0.0, which is not needed any more',
    ]);
  });
});
