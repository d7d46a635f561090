import { v7 } from 'uuid';
import { isExpired, neededPartitions, timeOf, uuidAt } from './history-partitions';
import { PARTITION_DAYS, RETENTION_CLASSES, RETENTION_DAYS } from './retention-class';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-25T12:00:00.123Z');

describe.each(RETENTION_CLASSES)('the partitions of the class %s', (retentionClass) => {
  const partitions = (now: Date) => neededPartitions({ parent: 'outbox', retentionClass }, now);

  it('follow each other without a gap, from a day ago until thirty days from now', () => {
    const all = partitions(NOW);
    for (const [i, { from }] of all.entries()) if (i > 0) expect(from).toBe(all[i - 1]!.to);
    expect(timeOf(all[0]!.from)).toBeLessThanOrEqual(NOW.getTime() - DAY_MS);
    expect(timeOf(all.at(-1)!.to)).toBeGreaterThan(NOW.getTime() + 30 * DAY_MS);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('have the same limits at every time', () => {
    const byName = new Map<string, string>();
    for (let day = 0; day < 800; day++) {
      for (const { name, from, to } of partitions(new Date(NOW.getTime() + day * DAY_MS))) {
        expect(byName.get(name) ?? from + to).toBe(from + to);
        byName.set(name, from + to);
      }
    }
  });

  it('contain the uuids of their time', () => {
    const uuid = v7({ msecs: NOW.getTime() });
    expect(timeOf(uuid)).toBe(NOW.getTime());
    expect(partitions(NOW).filter(({ from, to }) => from <= uuid && uuid < to)).toHaveLength(1);
  });

  it('expire when their last row is as old as the class permits', () => {
    const { to } = partitions(NOW)[0]!;
    const end = timeOf(to) + RETENTION_DAYS[retentionClass] * DAY_MS;
    expect(isExpired(to, retentionClass, new Date(end - 1))).toBe(false);
    expect(isExpired(to, retentionClass, new Date(end))).toBe(true);
    expect(PARTITION_DAYS[retentionClass]).toBeLessThan(RETENTION_DAYS[retentionClass]);
  });
});

it('the smallest uuid of a time precedes the uuids of this time', () => {
  const [before, at] = [v7({ msecs: NOW.getTime() - 1 }), v7({ msecs: NOW.getTime() })];
  expect([at, uuidAt(NOW.getTime()), before].toSorted()).toEqual([before, uuidAt(NOW.getTime()), at]);
});
