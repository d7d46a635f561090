import { randomBytes, randomUUID } from 'node:crypto';
import { digestOf, matchesDigest, newSecret, verifyToken, signText, signToken, verifyText } from './signed-token';

const key = (id: string) => ({ id, bytes: randomBytes(32) });

describe('A signed token', () => {
  const keys = [key('a'), key('b')];
  const id = randomUUID();

  it('contains its id, and is different every time', () => {
    const [one, other] = [signToken(keys, 'state', id), signToken(keys, 'state', id)];
    expect(one).not.toBe(other);
    expect([one, other].map((ticket) => verifyToken(keys, 'state', ticket))).toEqual([id, id]);
  });

  it('is valid after a key rotation, until its key is removed', () => {
    const ticket = signToken(keys, 'state', id);
    expect(verifyToken([key('c'), ...keys], 'state', ticket)).toBe(id);
    expect(verifyToken([keys[1]!], 'state', ticket)).toBeNull();
  });

  it('is invalid for another purpose, with a changed bit, or in another encoding', () => {
    const ticket = signToken(keys, 'state', id);
    expect(verifyToken(keys, 'other', ticket)).toBeNull();
    for (let at = 0; at < ticket.length; at += 7) {
      const changed = ticket.slice(0, at) + (ticket[at] === 'A' ? 'B' : 'A') + ticket.slice(at + 1);
      expect(verifyToken(keys, 'state', changed)).toBeNull();
    }
    for (const wrong of ['', 'x', `${ticket}=`, ` ${ticket}`, ticket.slice(1), `${ticket}A`]) {
      expect(verifyToken(keys, 'state', wrong)).toBeNull();
    }
  });
});

it('matchesDigest accepts only the digest of the secret', () => {
  const [one, other] = [newSecret(), newSecret()];
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(matchesDigest(one, digestOf(one))).toBe(true);
  expect(matchesDigest(one, digestOf(other))).toBe(false);
  expect(matchesDigest(one, null)).toBe(false);
});

describe('A signed text', () => {
  const keys = [key('a'), key('b')];
  const text = '{"name":"Größe"}';
  const signed = signText(keys, 'preview', text);

  it('can be read by everybody, and is valid while one of its keys is', () => {
    expect(Buffer.from(signed.split('.')[0]!, 'base64url').toString()).toBe(text);
    expect(verifyText([key('c'), ...keys], 'preview', signed)).toBe(text);
    expect(verifyText([keys[1]!], 'preview', signed)).toBeNull();
  });

  it('is invalid for another purpose, and with any change', () => {
    expect(verifyText(keys, 'other', signed)).toBeNull();
    const [content, signature] = signed.split('.');
    const other = signText(keys, 'preview', 'other').split('.')[0];
    for (const wrong of ['', '.', `${other}.${signature}`, `${content}.`, `${signed}.x`, `${content}x.${signature}`]) {
      expect(verifyText(keys, 'preview', wrong)).toBeNull();
    }
  });
});
