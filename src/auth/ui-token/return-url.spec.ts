import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import {
  asSent,
  InvalidReturnUrl,
  MAX_RETURN_URL,
  RETURN_PARAMETERS,
  type ReturnParameters,
  findReturnUrlProblem,
  signReturnUrl,
  verifyReturnUrl,
} from './return-url';

const ALLOWED = [
  'https://app.example.com',
  'http://localhost:4000',
  'http://127.0.0.1:4000',
  'http://[::1]:4000',
  'http://app.example.com',
];

describe('The return address of a token (decisions 3)', () => {
  it.each([
    'https://app.example.com',
    'https://app.example.com/deep/path?with=query&x=1',
    'https://APP.example.com:443/',
    'http://localhost:4000/x',
    'http://127.0.0.1:4000/',
    'http://[::1]:4000/',
  ])('allows %s', (url) => {
    expect(findReturnUrlProblem(url, ALLOWED)).toBeNull();
  });

  it.each([
    'http://app.example.com/', // on the list, but http
    '/relative',
    '//app.example.com/',
    'app.example.com',
    'https://user@app.example.com/',
    'https://:secret@app.example.com/',
    'javascript:alert(1)//https://app.example.com',
    'data:text/html,x',
    'https://',
    'https:/\\x y',
    '',
  ])('rejects the malformed URL %s', (url) => {
    expect(findReturnUrlProblem(url, ALLOWED)).toBe('INVALID_RETURN_URL');
  });

  it.each([
    'https://app.example.com.evil.example/',
    'https://evil.example/https://app.example.com',
    'https://evil.example/?x=https://app.example.com',
    'https://sub.app.example.com/',
    'https://example.com/',
    'https://app.example.com:8443/',
    'https://app.example.com./',
    'https://localhost:4000/',
    'http://localhost:4001/',
  ])('rejects the origin of %s', (url) => {
    expect(findReturnUrlProblem(url, ALLOWED)).toBe('ORIGIN_NOT_ALLOWED');
  });

  it.each(['https://app.example.com/#', 'https://app.example.com/x?y=1#part', 'https://app.example.com/#/route?a=b'])(
    'rejects %s, whose fragment is not sent to the server',
    (url) => {
      expect(findReturnUrlProblem(url, ALLOWED)).toBe('FRAGMENT_NOT_ALLOWED');
    },
  );

  it.each([
    ...[...RETURN_PARAMETERS, 'sig'].map((name) => `${name}=x`),
    'a=1&sig=x',
    'sig',
    'SIG=x',
    'Result=success',
    '%73ig=x',
    'result[]=success',
    'result%5B0%5D=success',
    'identity.uuid=x',
    'connection%20uuid=x',
    '%20status=x',
  ])('rejects a query with a reserved parameter: %s', (query) => {
    expect(findReturnUrlProblem(`https://app.example.com/?${query}`, ALLOWED)).toBe('RESERVED_PARAMETER');
  });

  it.each(['results=1', 'signature=1', 'x=sig', 'x=%26sig%3Dy', 'my_state=1', '', '&', 'a&b', 'a[result]=1'])(
    'allows the query %p',
    (query) => {
      expect(findReturnUrlProblem(`https://app.example.com/?${query}`, ALLOWED)).toBeNull();
    },
  );

  it('measures the URL as a browser sends it', () => {
    const ofLength = (length: number) => `https://app.example.com/${'x'.repeat(length - 24)}`;
    expect(findReturnUrlProblem(ofLength(MAX_RETURN_URL), ALLOWED)).toBeNull();
    expect(findReturnUrlProblem(ofLength(MAX_RETURN_URL + 1), ALLOWED)).toBe('TOO_LONG');
    expect(findReturnUrlProblem(`https://app.example.com/${'ü'.repeat(500)}`, ALLOWED)).toBe('TOO_LONG');
  });

  it('accepts an international name in either form', () => {
    const allowed = ['https://xn--bcher-kva.example'];
    expect(findReturnUrlProblem('https://bücher.example/', allowed)).toBeNull();
    expect(findReturnUrlProblem('https://xn--bcher-kva.example/', allowed)).toBeNull();
  });

  it('allows no URL while no origin is registered', () => {
    expect(findReturnUrlProblem('https://app.example.com/', [])).toBe('ORIGIN_NOT_ALLOWED');
  });
});

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const NOW = new Date('2026-11-20T08:30:00Z');
const TS = '1795163400';
const SAMPLE: ReturnParameters = {
  result: 'success',
  action: 'created',
  identity_uuid: 'i',
  connection_uuid: 'c',
  integration_id: 'imap',
  status: 'ACTIVE',
  state: 'a b&sig=ü',
  ts: TS,
  nonce: 'n',
};
const ADDED =
  'result=success&action=created&identity_uuid=i&connection_uuid=c&integration_id=imap&status=ACTIVE&state=a%20b%26sig%3D%C3%BC&ts=1795163400&nonce=n';

const sign = (url: string, parameters = SAMPLE) => signReturnUrl(url, parameters, SECRET);
const verify = (url: string, secrets: string | string[] = SECRET, now = NOW) => verifyReturnUrl(url, secrets, { now });
const reasonOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidReturnUrl) return error.reason;
    throw error;
  }
  return null;
};

describe('signReturnUrl (decisions 3 "Return")', () => {
  it.each([
    ['https://app.example.com', `https://app.example.com/?${ADDED}`],
    ['https://app.example.com/back', `https://app.example.com/back?${ADDED}`],
    ['https://app.example.com/back?', `https://app.example.com/back?${ADDED}`],
    ['https://app.example.com/back?tab=1', `https://app.example.com/back?tab=1&${ADDED}`],
    ['https://app.example.com/back?tab=1&', `https://app.example.com/back?tab=1&${ADDED}`],
    ['https://app.example.com/?b=2&a=1&a=%2f+%20', `https://app.example.com/?b=2&a=1&a=%2f+%20&${ADDED}`],
    ['http://localhost:4000/x?y', `http://localhost:4000/x?y&${ADDED}`],
    ['http://[::1]:4000/', `http://[::1]:4000/?${ADDED}`],
    ['https://BÜCHER.example:443/ä?ö=ü', `https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC&${ADDED}`],
  ])('keeps the query of %s and appends the parameters in order', (url, expected) => {
    const signed = sign(url);
    const mac = createHmac('sha256', Buffer.alloc(32, 1)).update(`v1.${expected}`).digest('base64url');
    expect(signed).toBe(`${expected}&sig=${mac}`);
    expect(verify(signed)).toEqual(SAMPLE);
  });

  it('omits absent parameters', () => {
    const few = { result: 'cancelled', action: 'none', identity_uuid: 'i', ts: TS, nonce: 'n' };
    expect(sign('https://app.example.com/', few)).toMatch(
      /^https:\/\/app\.example\.com\/\?result=cancelled&action=none&identity_uuid=i&ts=1795163400&nonce=n&sig=[\w-]{43}$/,
    );
    expect(verify(sign('https://app.example.com/', few))).toEqual(few);
  });

  it('creates URLs that browsers send unchanged and verifyReturnUrl accepts, for any values', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), text, text, (url, state, more) => {
        const given = `${url}${url.includes('?') ? '&' : '?'}x=${encodeURIComponent(more)}`;
        if (findReturnUrlProblem(given, [new URL(given).origin]) !== null) return;
        const signed = sign(given, { ...SAMPLE, state });
        expect(asSent(signed)).toBe(signed);
        expect(verify(signed)).toEqual({ ...SAMPLE, state });
        // The URL may already contain an `x`, before the added one.
        expect(new URL(signed).searchParams.getAll('x').at(-1)).toBe(more);
      }),
    );
  });
});

describe('verifyReturnUrl', () => {
  const signed = sign('https://app.example.com/back?tab=1');

  it('accepts any one of several secrets, and no other', () => {
    expect(verify(signed, [OTHER, SECRET])).toEqual(SAMPLE);
    expect(verify(signed, [SECRET, OTHER])).toEqual(SAMPLE);
    expect(reasonOf(() => verify(signed, OTHER))).toBe('SIGNATURE_INVALID');
    expect(reasonOf(() => verify(signed, [OTHER, OTHER]))).toBe('SIGNATURE_INVALID');
  });

  it('accepts the secret with or without its prefix', () => {
    expect(verify(signed, SECRET.replace('whsec_', ''))).toEqual(SAMPLE);
  });

  it('does not verify with an empty secret, with which anyone could sign', () => {
    for (const secrets of [[], '', 'whsec_', [SECRET, '']]) expect(() => verify(signed, secrets)).toThrow(TypeError);
  });

  it('ignores a fragment that a browser has appended', () => {
    expect(verify(`${signed}#x&sig=y`)).toEqual(SAMPLE);
  });

  const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
  it.each([
    [0, null],
    [300, null],
    [300.001, 'EXPIRED'],
    [-300, null],
    [-300.001, 'FROM_THE_FUTURE'],
  ])('%d s after it was signed: %p', (seconds, reason) => {
    expect(reasonOf(() => verify(signed, SECRET, at(seconds)))).toBe(reason);
  });

  it('accepts another tolerance', () => {
    const options = { now: at(11), toleranceSeconds: 10 };
    expect(reasonOf(() => verifyReturnUrl(signed, SECRET, options))).toBe('EXPIRED');
    expect(verifyReturnUrl(signed, SECRET, { ...options, toleranceSeconds: 11 })).toEqual(SAMPLE);
  });

  const signature = signed.slice(-43);
  /** Another encoding of the same bytes: the last of 43 characters has two unused bits. */
  const alias = () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return signed.slice(0, -1) + alphabet[alphabet.indexOf(signed.at(-1)!) + 1];
  };
  it.each<[string, () => string, string]>([
    ['another value', () => signed.replace('result=success', 'result=error'), 'SIGNATURE_INVALID'],
    ['another value of the client’s query', () => signed.replace('tab=1', 'tab=2'), 'SIGNATURE_INVALID'],
    ['another path', () => signed.replace('/back', '/front'), 'SIGNATURE_INVALID'],
    ['another host', () => signed.replace('app.', 'api.'), 'SIGNATURE_INVALID'],
    ['another scheme', () => signed.replace('https:', 'http:'), 'SIGNATURE_INVALID'],
    ['a later time', () => signed.replace(TS, String(Number(TS) + 100)), 'SIGNATURE_INVALID'],
    [
      'another order',
      () => signed.replace('result=success&action=created', 'action=created&result=success'),
      'SIGNATURE_INVALID',
    ],
    ['a removed parameter', () => signed.replace('&status=ACTIVE', ''), 'SIGNATURE_INVALID'],
    ['an inserted parameter', () => signed.replace('?', '?result=error&'), 'SIGNATURE_INVALID'],
    ['a parameter after the signature', () => `${signed}&status=DISABLED`, 'SIGNATURE_INVALID'],
    ['an empty parameter after the signature', () => `${signed}&`, 'SIGNATURE_INVALID'],
    ['a second signature', () => `${signed}&sig=${signature}`, 'SIGNATURE_INVALID'],
    ['an encoded second signature', () => `${signed}&%73ig=${signature}`, 'SIGNATURE_INVALID'],
    ['another signature at the beginning', () => signed.replace('?', `?sig=${signature}&`), 'SIGNATURE_INVALID'],
    ['an encoded signature parameter', () => signed.replace('&sig=', '&%73ig='), 'SIGNATURE_INVALID'],
    ['only the signature', () => `https://app.example.com/?sig=${signature}`, 'SIGNATURE_INVALID'],
    ['an empty signature', () => signed.slice(0, -43), 'SIGNATURE_INVALID'],
    ['a short signature', () => signed.slice(0, -1), 'SIGNATURE_INVALID'],
    ['a padded signature', () => `${signed}=`, 'SIGNATURE_INVALID'],
    ['another encoding of the same bytes', alias, 'SIGNATURE_INVALID'],
    ['no signature', () => signed.replace(/&sig=.*/, ''), 'SIGNATURE_MISSING'],
    ['a signature in the fragment', () => signed.replace('&sig=', '#&sig='), 'SIGNATURE_MISSING'],
    ['a relative URL', () => signed.replace('https://app.example.com', ''), 'MALFORMED'],
    ['nothing', () => '', 'MALFORMED'],
    ['no timestamp, validly signed', () => sign('https://a.example/', { ...SAMPLE, ts: undefined }), 'MALFORMED'],
    ['an invalid timestamp, validly signed', () => sign('https://a.example/', { ...SAMPLE, ts: '1e9' }), 'MALFORMED'],
    ['a duplicate parameter, validly signed', () => sign('https://a.example/?result=error'), 'MALFORMED'],
  ])('rejects %s', (_, change, reason) => {
    expect(change()).not.toBe(signed);
    expect(reasonOf(() => verify(change()))).toBe(reason);
  });

  it('rejects every URL in which a single character is changed', () => {
    const digits = fc.constantFrom(...'aZ09-_%&=?.');
    fc.assert(
      fc.property(fc.nat(signed.length - 1), digits, (index, character) => {
        const changed = signed.slice(0, index) + character + signed.slice(index + 1);
        expect(reasonOf(() => verify(changed)) === null).toBe(changed === signed);
      }),
      { numRuns: 500 },
    );
  });
});
