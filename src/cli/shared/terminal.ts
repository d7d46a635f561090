import type { Readable, Writable } from 'node:stream';

/** The standard streams of a command. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** All of standard input, without the line break at its end. */
export async function readSecret({ stdin }: Terminal): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(part as Buffer);
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
