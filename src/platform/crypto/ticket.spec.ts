import { randomBytes, randomUUID } from 'node:crypto';
import { digestOf, fits, newSecret, readTicket, signTicket } from './ticket';

const key = (id: string) => ({ id, bytes: randomBytes(32) });

describe('A ticket', () => {
  const keys = [key('a'), key('b')];
  const id = randomUUID();

  it('carries its id, and is another one every time', () => {
    const [one, other] = [signTicket(keys, 'state', id), signTicket(keys, 'state', id)];
    expect(one).not.toBe(other);
    expect([one, other].map((ticket) => readTicket(keys, 'state', ticket))).toEqual([id, id]);
  });

  it('is still known when the keys have been rotated, and no longer when its key has gone', () => {
    const ticket = signTicket(keys, 'state', id);
    expect(readTicket([key('c'), ...keys], 'state', ticket)).toBe(id);
    expect(readTicket([keys[1]!], 'state', ticket)).toBeNull();
  });

  it('is of no use for another purpose, nor with a bit changed, nor written differently', () => {
    const ticket = signTicket(keys, 'state', id);
    expect(readTicket(keys, 'other', ticket)).toBeNull();
    for (let at = 0; at < ticket.length; at += 7) {
      const changed = ticket.slice(0, at) + (ticket[at] === 'A' ? 'B' : 'A') + ticket.slice(at + 1);
      expect(readTicket(keys, 'state', changed)).toBeNull();
    }
    for (const wrong of ['', 'x', `${ticket}=`, ` ${ticket}`, ticket.slice(1), `${ticket}A`]) {
      expect(readTicket(keys, 'state', wrong)).toBeNull();
    }
  });
});

it('A secret fits its own digest only', () => {
  const [one, other] = [newSecret(), newSecret()];
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(fits(one, digestOf(one))).toBe(true);
  expect(fits(one, digestOf(other))).toBe(false);
  expect(fits(one, null)).toBe(false);
});
