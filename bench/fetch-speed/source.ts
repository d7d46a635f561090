import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { documentBytes, MAX_BYTES } from '../harness/data/bench-document';
import type { ToolRun } from '../harness/processes/tool';

/** A real server with documents. */
export interface BenchSource extends AsyncDisposable {
  /** The id of the integration. */
  readonly integration: string;
  /** The port on 127.0.0.1. */
  readonly port: number;
  /** A note about this comparison in the results. */
  readonly note: string;
  /** Tools that fetch the same documents. */
  readonly comparedTools: readonly ComparedTool[];
  /** Creates `documents` documents of `bytes` bytes, once. */
  fill(documents: number, bytes: number): Promise<void>;
  /** Step-1 input for the server at this port of 127.0.0.1. */
  fields(port: number): Readonly<Record<string, unknown>>;
}

/** A tool that a user could run instead, or a minimal implementation. */
export interface ComparedTool {
  readonly name: string;
  /** The maximum ratio of the service's time to the tool's: on loopback, and with the round trip. Absent: no goal. */
  readonly goal?: { readonly near: number; readonly far: number };
  /** True when another run fetches only new documents. */
  readonly knowsWhatItHas: boolean;
  /** Fetches the missing documents from the server at this port of 127.0.0.1. */
  fetch(port: number, folder: string): Promise<ToolRun>;
}

const BLOCK = randomBytes(MAX_BYTES);

/** The bytes of one document; all documents differ. */
export function contentOf(number: number, bytes: number): Buffer {
  return Buffer.concat([...documentBytes(BLOCK, number, bytes)]);
}

/** Runs a function for every number below `count`, a few concurrently. */
export async function forEach(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

export async function emptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}

/** The number of files below a folder, without hidden ones. */
export async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).length;
}
