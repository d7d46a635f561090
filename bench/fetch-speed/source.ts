import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { documentBytes, MAX_BYTES } from '../harness/data/bench-document';
import type { ToolRun } from '../harness/processes/tool';

/** A real server with documents. */
export interface BenchSource extends AsyncDisposable {
  /** Of the catalog. */
  readonly integration: string;
  /** Where it listens on 127.0.0.1. */
  readonly port: number;
  /** What readers of the results have to know about this comparison. */
  readonly note: string;
  /** Who fetches the same. */
  readonly comparedTools: readonly ComparedTool[];
  /** Puts so many documents of that size there. Once. */
  fill(documents: number, bytes: number): Promise<void>;
  /** Step-1 input for the server, at that port of 127.0.0.1. */
  fields(port: number): Readonly<Record<string, unknown>>;
}

/** What a user would run instead, or the least that it takes. */
export interface ComparedTool {
  readonly name: string;
  /** How many times its time the service may take: on loopback, and with the round trip. Absent: only shown. */
  readonly goal?: { readonly near: number; readonly far: number };
  /** Whether another run fetches only what is new. */
  readonly knowsWhatItHas: boolean;
  /** Fetches everything that the folder has not yet from the server at that port of 127.0.0.1. */
  fetch(port: number, folder: string): Promise<ToolRun>;
}

const BLOCK = randomBytes(MAX_BYTES);

/** The bytes of one of the documents; no two are alike. */
export function contentOf(number: number, bytes: number): Buffer {
  return Buffer.concat([...documentBytes(BLOCK, number, bytes)]);
}

/** Does something for every number below `count`, a few at once. */
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

/** How many files there are below a folder, names with a dot first left out. */
export async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).length;
}
