import { once } from 'node:events';
import type { Context, Input } from '../context';

const [INTERRUPT, BACKSPACE, DELETE] = ['\u0003', '\b', '\u007f'];

/** A secret from the terminal, which does not show it, or everything on standard input. Null when it was interrupted. */
export async function readSecret({ stdin, stderr }: Pick<Context, 'stdin' | 'stderr'>, prompt: string) {
  if (!stdin.isTTY || !stdin.setRawMode) return readAll(stdin);
  stderr.write(prompt);
  stdin.setRawMode(true);
  try {
    return await readLine(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

async function readAll(stdin: Input): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(Buffer.from(part as Buffer | string));
  return Buffer.concat(parts).toString('utf8').trim();
}

async function readLine(stdin: Input): Promise<string | null> {
  let line = '';
  for (;;) {
    const [data] = (await once(stdin.resume(), 'data')) as [Buffer | string];
    for (const key of data.toString()) {
      if (key === INTERRUPT) return null;
      if (key === '\r' || key === '\n') return line.trim();
      line = key === BACKSPACE || key === DELETE ? line.slice(0, -1) : line + key;
    }
  }
}
