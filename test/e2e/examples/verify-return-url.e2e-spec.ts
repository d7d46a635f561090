import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { signReturnUrl } from '../../../src/auth/ui-token/return-url';
import { useTestContext } from '../../harness/app/test-context';

const SCRIPT = resolve(__dirname, '../../../docs/examples/verify-return-url.mjs');
const OTHER = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

describe('docs/examples/verify-return-url.mjs', () => {
  const context = useTestContext();
  let address: string;

  beforeAll(async () => {
    const token = await context.client.createToken(context.identity, {
      state: 'ü &',
      return_url: 'https://app.example.com/?a=1',
    });
    const body = { result: 'success', action: 'created', connection_uuid: await context.createConnection() };
    const answer = await context.client.requestWithToken(token, 'post', '/v1/ui/return').send(body).expect(200);
    address = (answer.body as { data: { url: string } }).data.url;
  });

  const run = (url: string, secret: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, url], { env: { SECRET: secret } });
    return {
      status,
      output: stdout.toString() ? (JSON.parse(stdout.toString()) as object) : null,
      error: stderr.toString(),
    };
  };
  const signedAt = (seconds: number) => {
    const ts = Math.floor(Date.now() / 1000) + seconds;
    return signReturnUrl(
      'https://app.example.com/',
      { result: 'success', ts: String(ts) },
      context.client.signingSecret,
    );
  };

  it('accepts a signed return URL', () => {
    const expected = {
      result: 'success',
      action: 'created',
      identity_uuid: context.identity,
      state: 'ü &',
      status: 'PENDING',
    };
    for (const secret of [context.client.signingSecret, `${OTHER},${context.client.signingSecret}`]) {
      expect(run(address, secret)).toMatchObject({ status: 0, output: expected });
    }
  });

  it.each<[string, () => [url: string, secret?: string]]>([
    ['another secret', () => [address, OTHER]],
    ['no secret', () => [address, '']],
    ['another value', () => [address.replace('success', 'error')]],
    ['another order', () => [address.replace(/(result=\w+)&(action=\w+)/, '$2&$1')]],
    ['a parameter after the signature', () => [`${address}&status=ACTIVE`]],
    ['a second signature', () => [`${address}&sig=${address.slice(-43)}`]],
    ['an encoded second signature', () => [`${address}&%73ig=x`]],
    ['no signature', () => [address.replace(/&sig=.*/, '')]],
    ['half a signature', () => [address.slice(0, -20)]],
    ['no timestamp', () => [signReturnUrl('https://app.example.com/', { result: 'x' }, context.client.signingSecret)]],
    ['an expired URL', () => [signedAt(-900)]],
    ['a URL from the future', () => [signedAt(900)]],
    [
      'a parameter twice',
      () => [signReturnUrl('https://x.example/?result=y', { result: 'x' }, context.client.signingSecret)],
    ],
    ['an empty text', () => ['']],
  ])('rejects %s', (_, given) => {
    const [url, secret = context.client.signingSecret] = given();
    const { status, output, error } = run(url, secret);
    expect({ status, output }).toEqual({ status: 1, output: null });
    expect(error).toMatch(/\w/);
  });
});
