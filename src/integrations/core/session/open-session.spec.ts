import { openSession } from './open-session';
import { Transient } from '../source-errors';
import type { Network } from '../../../platform/network/network';

const session = () =>
  openSession({
    fields: {},
    step2: {},
    network: {} as Network,
    signal: new AbortController().signal,
    now: () => new Date(),
  });

describe('A shared resource of a session', () => {
  it('is opened once, and closed when the session ends', async () => {
    const own = session();
    const closed: string[] = [];
    const open = () =>
      own.shared(
        'line',
        () => Promise.resolve('a line'),
        (line) => closed.push(line),
      );
    expect([await open(), await open()]).toEqual(['a line', 'a line']);
    await own.close();
    expect(closed).toEqual(['a line']);
  });

  it('is not opened after the session has ended', async () => {
    const own = session();
    await own.close();
    const open = jest.fn(() => Promise.resolve('a line'));
    await expect(own.shared('line', open, () => undefined)).rejects.toBeInstanceOf(Transient);
    expect(open).not.toHaveBeenCalled();
  });
});
