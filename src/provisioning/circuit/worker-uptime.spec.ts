import { startOfUptime } from './worker-uptime';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20) + seconds * 1000);
const uptime = (from: number, to: number) => ({ from: at(from), to: at(to) });

describe('The moment since when workers have run for some time', () => {
  it('lies that far back when a worker ran all the time', () => {
    expect(startOfUptime([uptime(0, 100)], 60)).toEqual(at(40));
    expect(startOfUptime([uptime(0, 60)], 60)).toEqual(at(0));
  });

  it('lies further back by the times without a worker', () => {
    expect(startOfUptime([uptime(0, 100), uptime(500, 520), uptime(1000, 1030)], 60)).toEqual(at(90));
  });

  it('counts once what several workers ran at the same time, in whatever order they are known', () => {
    expect(startOfUptime([uptime(50, 60), uptime(0, 100), uptime(90, 110)], 60)).toEqual(at(50));
  });

  it('is unknown when they have not run for so long', () => {
    expect(startOfUptime([uptime(0, 30), uptime(40, 60)], 60)).toBeNull();
    expect(startOfUptime([], 60)).toBeNull();
  });
});
