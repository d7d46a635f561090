import { totalmem } from 'node:os';

const MIB = 1024 * 1024;
/** PostgreSQL keeps so many pages in memory of its own, in bytes: by the machine, and no fewer nor more than these. */
const BUFFERS = { ofMachine: 1 / 16, least: 64 * MIB, most: 256 * MIB };

/** Modest, as the service runs on the same machine; errors of single statements belong into the service's log. */
const ALWAYS: Readonly<Record<string, string>> = {
  max_connections: '100',
  effective_cache_size: '512MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '512MB',
  // Zeros first would write every byte of a burst twice; old segments are used again.
  wal_init_zero: 'off',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/** For tests: fast, and lost when the machine (not the process) dies. */
const THROW_AWAY: Readonly<Record<string, string>> = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** What the embedded PostgreSQL is started with, on a machine with so many bytes of memory. */
export function postgresSettings(memory: number, durable: boolean): Record<string, string> {
  const buffers = Math.min(BUFFERS.most, Math.max(BUFFERS.least, memory * BUFFERS.ofMachine));
  return { ...ALWAYS, shared_buffers: `${Math.floor(buffers / MIB)}MB`, ...(durable ? {} : THROW_AWAY) };
}

/** Bytes of memory that this process may use: the machine's, or what a container is given. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
