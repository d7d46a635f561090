import { AddressNotAllowed, isAddressNotAllowed } from './network';

describe('isAddressNotAllowed', () => {
  const refused = new AddressNotAllowed('10.0.0.1');

  it('searches causes and aggregates', () => {
    expect(isAddressNotAllowed(new Error('a', { cause: new Error('b', { cause: refused }) }))).toBe(true);
    expect(isAddressNotAllowed(new AggregateError([new Error('a'), new Error('b', { cause: refused })]))).toBe(true);
  });

  it('is false for everything else, including circular causes', () => {
    const circle = new Error('a');
    circle.cause = new AggregateError([circle]);
    for (const other of [circle, new Error('a'), 'AddressNotAllowed', null, undefined, { cause: refused }]) {
      expect(isAddressNotAllowed(other)).toBe(false);
    }
  });
});
