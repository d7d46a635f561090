import { parseAddress } from './route';
import { matchPath } from './shell/match-path';

const ENVIRONMENT = '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a';

describe('an address', () => {
  it('has a path and filters', () => {
    const { environment, path, query } = parseAddress('#/connections?status=ACTIVE&q=a%26b');
    expect([environment, path, Object.fromEntries(query)]).toEqual([
      null,
      ['connections'],
      { status: 'ACTIVE', q: 'a&b' },
    ]);
  });

  it('may begin with an environment', () => {
    expect(parseAddress(`#/${ENVIRONMENT}/connections/x`)).toMatchObject({
      environment: ENVIRONMENT,
      path: ['connections', 'x'],
    });
    expect(parseAddress(`#/connections/${ENVIRONMENT}`)).toMatchObject({ environment: null });
  });

  it.each(['', '#', '#/', '#//'])('that is empty leads to the first view: %j', (hash) => {
    expect(parseAddress(hash)).toMatchObject({ environment: null, path: [] });
  });

  it('with broken encoding is no exception', () => {
    expect(parseAddress('#/connections/%E0%A4%A').path).toEqual(['connections', '%E0%A4%A']);
  });
});

describe('the path of a view', () => {
  it('matches whole addresses, and names their parts', () => {
    expect(matchPath('connections/:uuid', ['connections', 'x'])).toEqual({ uuid: 'x' });
    expect(matchPath('connections', ['connections', 'x'])).toBeNull();
    expect(matchPath('', [])).toEqual({});
  });
});
