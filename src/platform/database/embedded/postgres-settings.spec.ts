import { totalmem } from 'node:os';
import { availableMemory, postgresSettings } from './postgres-settings';

const GIB = 1024 ** 3;

describe('The settings of the embedded PostgreSQL', () => {
  it.each([
    [0.5 * GIB, '64MB'],
    [1 * GIB, '64MB'],
    [2.5 * GIB, '160MB'],
    [4 * GIB, '256MB'],
    [64 * GIB, '256MB'],
  ])('use a sixteenth of the memory for shared buffers (%d bytes: %s), within limits', (memory, expected) => {
    expect(postgresSettings(memory, true)).toMatchObject({ shared_buffers: expected });
  });

  it('give up safety against power loss only on request', () => {
    expect(postgresSettings(GIB, true)).not.toHaveProperty('fsync');
    expect(postgresSettings(GIB, false)).toMatchObject({ fsync: 'off', full_page_writes: 'off' });
  });

  it('depend on the memory limit of the process, at most the memory of the machine', () => {
    expect(availableMemory()).toBeGreaterThan(0);
    expect(availableMemory()).toBeLessThanOrEqual(totalmem());
  });
});
