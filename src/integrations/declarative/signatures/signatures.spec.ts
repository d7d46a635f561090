import { authorizationOf } from './edgegrid';
import { SIGNATURES } from './signatures';

describe('The signature of OVHcloud', () => {
  const AT = new Date(1_366_560_945_900);
  const inputs = {
    application_key: '7kbG7Bk7S9Nt7ZSV',
    application_secret: 'EXEgWIz07P0HYwtQDs7cNIqCiQaWSuHF',
    consumer_key: 'MtSwSrPpNjqfVSmJhLbPyr2i45lSwPU1',
  };
  const signed = (method: 'GET' | 'POST', path: string, body = '') =>
    SIGNATURES.ovh.sign({ method, url: new URL(`https://eu.api.ovh.com/1.0${path}`), headers: {}, body }, inputs, AT);

  it("is that of the provider's published example", () => {
    expect(signed('GET', '/domain/')).toEqual({
      'x-ovh-application': '7kbG7Bk7S9Nt7ZSV',
      'x-ovh-consumer': 'MtSwSrPpNjqfVSmJhLbPyr2i45lSwPU1',
      'x-ovh-timestamp': '1366560945',
      'x-ovh-signature': '$1$6a77f43f2871db97a029f1d1d81c4dcd3c6f7265',
    });
  });

  // Computed with hashlib.sha1 of Python 3.
  it.each([
    ['GET', '/me/bill?date.from=2026-01-01T00%3A00%3A00Z', '', '8653b3f688dc45f2bc34d843ed0ddb568709f266'],
    ['POST', '/x', '{"a":"b"}', '8c316af7fbc41ab90cd6df1e00160a5f86ec251b'],
  ] as const)('contains the whole address and the body: %s %s', (method, path, body, digest) => {
    expect(signed(method, path, body)).toMatchObject({ 'x-ovh-signature': `$1$${digest}` });
  });
});

describe('AWS Signature Version 4', () => {
  const inputs = {
    access_key_id: 'AKIDEXAMPLE',
    secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
  };
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

  // The published values of the AWS Signature Version 4 test suite, by the name of the test.
  it.each([
    ['get-vanilla', 'GET', '/', {}, '', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['post-vanilla', 'POST', '/', {}, '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'get-vanilla-query-order-key-case',
      ...(['GET', '/?Param2=value2&Param1=value1', {}, ''] as const),
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'post-x-www-form-urlencoded',
      ...(['POST', '/', FORM, 'Param1=value1'] as const),
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ] as const)('is that of the test suite: %s', async (_, method, path, headers, body, signature) => {
    const url = new URL(`https://example.amazonaws.com${path}`);
    const at = new Date('2015-08-30T12:36:00Z');
    const names = ['content-type', 'host', 'x-amz-date'].filter((name) => name !== 'content-type' || name in headers);
    expect(await SIGNATURES.aws_v4.sign({ method, url, headers, body }, inputs, at)).toEqual({
      'x-amz-date': '20150830T123600Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
        `SignedHeaders=${names.join(';')}, Signature=${signature}`,
    });
  });
});

describe('The signature of Akamai (EdgeGrid)', () => {
  const inputs = {
    client_token: 'akab-client-token-xxx-xxxxxxxxxxxxxxxx',
    client_secret: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=',
    access_token: 'akab-access-token-xxx-xxxxxxxxxxxxxxxx',
  };
  const NONCE = 'nonce-xx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
  const AT = new Date('2014-03-21T19:34:21Z');
  const url = (path: string) => new URL(`https://akaa-baseurl-xxxxxxxxxxx-xxxxxxxxxxxxx.luna.akamaiapis.net${path}`);

  // The published values of the test data of Akamai's own libraries.
  it.each([
    ['GET', '/', '', 'tL+y4hxyHxgWVD30X3pWnGKHcPzmrIF+LThiAOhMxYU='],
    ['GET', '/testapi/v1/t1?p1=1&p2=2', '', 'hKDH1UlnQySSHjvIcZpDMbQHihTQ0XyVAKZaApabdeA='],
    // cspell:disable-next-line
    ['POST', '/testapi/v1/t3', 'datadatadatadatadatadatadatadata', 'hXm4iCxtpN22m4cbZb4lVLW5rhX8Ca82vCFqXzSTPe4='],
  ] as const)('is that of the published test data: %s %s %s', (method, path, body, signature) => {
    expect(authorizationOf({ method, url: url(path), headers: {}, body }, inputs, AT, NONCE)).toBe(
      `EG1-HMAC-SHA256 client_token=${inputs.client_token};access_token=${inputs.access_token};` +
        `timestamp=20140321T19:34:21+0000;nonce=${NONCE};signature=${signature}`,
    );
  });

  it('has another nonce each time', async () => {
    const sign = async () =>
      SIGNATURES.edgegrid.sign({ method: 'GET', url: url('/'), headers: {}, body: '' }, inputs, AT);
    expect(await sign()).not.toEqual(await sign());
  });
});
