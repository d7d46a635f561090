import { readResult, withoutResult } from './result';

const BACK = 'https://app.example.com/back?tab=2';
const SIGNED = `${BACK}&result=success&action=created&identity_uuid=i&connection_uuid=c&integration_id=imap&status=ACTIVE&state=a%20b&ts=1763627400&nonce=n&sig=s`;

describe('readResult', () => {
  it('reads what the service has added to the return URL', () => {
    expect(readResult(SIGNED)).toEqual({
      url: SIGNED,
      result: 'success',
      action: 'created',
      identity_uuid: 'i',
      connection_uuid: 'c',
      integration_id: 'imap',
      status: 'ACTIVE',
      state: 'a b',
    });
  });

  it('omits what is not there', () => {
    const url = `${BACK}&result=cancelled&action=none&identity_uuid=i&ts=1&nonce=n&sig=s`;
    expect(readResult(url)).toEqual({ url, result: 'cancelled', action: 'none', identity_uuid: 'i' });
  });

  it.each(['', 'no address', BACK, SIGNED.replace(/&sig=.*/, ''), SIGNED.replace('result=', 'r=')])(
    'is null for %p',
    (url) => expect(readResult(url)).toBeNull(),
  );
});

describe('withoutResult', () => {
  it.each([
    ['https://app.example.com/back?tab=2', '&'],
    ['https://app.example.com/back', '?'],
    ['https://app.example.com/?xresult=1', '&'],
  ])('restores %s', (url, glue) => {
    expect(withoutResult(`${url}${glue}result=success&action=none&sig=x`)).toBe(url);
    expect(withoutResult(`${url}${glue}result=success&sig=x#part`)).toBe(`${url}#part`);
    expect(withoutResult(url)).toBe(url);
  });
});
