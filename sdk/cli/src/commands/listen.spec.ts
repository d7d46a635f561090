import { useClientUser } from '../../../../test/sdk/run-client';
import { KEY } from '../../../../test/sdk/use-sdk';

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

describe('docfetch-client listen', () => {
  const user = useClientUser();

  it('makes a local secret once, and prints it on request only', async () => {
    const { objects } = await user.run(['listen', '--print-secret', '--json']);
    expect(objects).toEqual([{ secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) }]);
    expect((await user.run(['listen', '--print-secret', '--json'])).objects).toEqual(objects);
    const given = await user.run(['listen', '--print-secret'], { env: { DOCFETCH_LOCAL_SECRET: SECRET } });
    expect(given.stdout).toBe(`${SECRET}\n`);
  });

  it.each([
    [[], {}, 'Name where documents go with --forward-to'],
    [['--forward-to', 'localhost:4000'], {}, 'The address to forward to must be like'],
    [['--forward-to', 'http://localhost:4000', '--auth', 'bearer'], {}, 'Set DOCFETCH_ENDPOINT_TOKEN'],
    [
      ['--forward-to', 'http://localhost:4000', '--auth', 'basic'],
      {},
      '--auth must be one of none, bearer, query, header',
    ],
    [['--events', 'fetch.finished,no.such'], {}, '--events must be one of document.available'],
    [
      ['--forward-to', 'http://localhost:4000'],
      { DOCFETCH_LOCAL_SECRET: 'whsec_short' },
      'DOCFETCH_LOCAL_SECRET must be',
    ],
  ])('refuses %j with %j', async (args, env, reason) => {
    const { status, stderr } = await user.run(['listen', ...args], { env: { DOCFETCH_API_KEY: KEY, ...env } });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(reason) });
  });
});
