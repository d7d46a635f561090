import { startOfUptime } from './worker-uptime';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20) + seconds * 1000);
const uptime = (from: number, to: number) => ({ from: at(from), to: at(to) });

describe('The time since when workers have run for a duration', () => {
  it('is the duration ago when a worker ran all the time', () => {
    expect(startOfUptime([uptime(0, 100)], 60)).toEqual(at(40));
    expect(startOfUptime([uptime(0, 60)], 60)).toEqual(at(0));
  });

  it('is earlier by the periods without a worker', () => {
    expect(startOfUptime([uptime(0, 100), uptime(500, 520), uptime(1000, 1030)], 60)).toEqual(at(90));
  });

  it('counts overlapping periods of several workers once, in any order', () => {
    expect(startOfUptime([uptime(50, 60), uptime(0, 100), uptime(90, 110)], 60)).toEqual(at(50));
  });

  it('is null when they have not run for the duration', () => {
    expect(startOfUptime([uptime(0, 30), uptime(40, 60)], 60)).toBeNull();
    expect(startOfUptime([], 60)).toBeNull();
  });
});
