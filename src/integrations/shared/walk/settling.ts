import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../integration';
import { keyOf } from './file-reference';
import type { Tree, TreeFile } from './tree';

/** A file that was last changed so long ago is no longer being written. */
const SETTLED_MS = 60_000;
/** A server's clock may be ahead by so much; a date further in the future says nothing about now. */
const AHEAD_MS = 3_600_000;
/** More files than this are not remembered for a second look; the next walk finds them. */
const MOST_WAITING = 10_000;
const LOOKS_AT_ONCE = 8;

/** Keeps back files that may still be written, until a second look. */
export class Settling {
  private readonly waiting: TreeFile[] = [];
  private firstLookEnded = 0;

  constructor(
    private readonly session: Pick<Session, 'now' | 'signal'>,
    private readonly pauseMs: number,
  ) {}

  isSettled({ modifiedAt }: TreeFile): boolean {
    if (modifiedAt === undefined) return true;
    const age = this.session.now().getTime() - modifiedAt.getTime();
    return age >= SETTLED_MS || age < -AHEAD_MS;
  }

  /** Keeps a file for the second look; one too many is left for the next walk, and reported to `reopen`. */
  wait(file: TreeFile, reopen: (path: string) => void): void {
    this.firstLookEnded = performance.now();
    if (this.waiting.length < MOST_WAITING) this.waiting.push(file);
    else reopen(file.path);
  }

  /** The files that have not changed since they were listed, `pauseMs` ago at least. The others are reported to `reopen`. */
  async lookAgain(tree: Tree, reopen: (path: string) => void): Promise<TreeFile[]> {
    if (this.waiting.length === 0) return [];
    const left = this.firstLookEnded + this.pauseMs - performance.now();
    if (left > 0) await pause(left, undefined, { signal: this.session.signal });
    const settled: TreeFile[] = [];
    for (let at = 0; at < this.waiting.length; at += LOOKS_AT_ONCE) {
      this.session.signal.throwIfAborted();
      const files = this.waiting.slice(at, at + LOOKS_AT_ONCE);
      const now = await Promise.all(files.map((file) => tree.look(file)));
      files.forEach((file, n) => {
        const seen = now[n];
        if (seen && keyOf(seen) === keyOf(file)) settled.push(file);
        else reopen(file.path);
      });
    }
    return settled;
  }
}
