import { totalmem } from 'node:os';

const MIB = 1024 * 1024;
/** `shared_buffers`: a share of the available memory, within these bounds in bytes. */
const BUFFERS = { share: 1 / 16, min: 64 * MIB, max: 256 * MIB };

/** Modest values, because the service runs on the same machine. Errors of single statements belong in the service's log. */
const DEFAULTS: Readonly<Record<string, string>> = {
  max_connections: '100',
  effective_cache_size: '512MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '512MB',
  // Zero-filling would write every byte of a burst twice; old segments are recycled anyway.
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

/** For tests: fast, but data is lost when the machine (not the process) crashes. */
const NOT_DURABLE: Readonly<Record<string, string>> = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** The settings of the embedded PostgreSQL on a machine with `memory` bytes of memory. */
export function postgresSettings(memory: number, durable: boolean): Record<string, string> {
  const buffers = Math.min(BUFFERS.max, Math.max(BUFFERS.min, memory * BUFFERS.share));
  return { ...DEFAULTS, shared_buffers: `${Math.floor(buffers / MIB)}MB`, ...(durable ? {} : NOT_DURABLE) };
}

/** Bytes of memory that this process may use: the machine's, or the container's limit. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
