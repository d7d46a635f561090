import type { Session } from '../../core/integration';
import type { Json, SourcePage } from '../../core/source-document';
import { keyOf, reference } from './selection/file-document';
import { type Leave, StabilityCheck } from './stability-check';
import type { Tree, TreeFile } from './files/tree';

/** So many files are asked about at once: few questions, little memory. */
const ASK = 500;
/** References a page. */
const PAGE = 100;

export interface TreeSyncOptions {
  /** Milliseconds between two looks at a file that was changed a moment ago. Default 5,000. */
  readonly pauseMs?: number;
  /** The source shows no file before it has all of it, so none has to be looked at twice. Default false. */
  readonly filesAppearWhole?: boolean;
}

/** Makes pages of those of a walk's files that are not known yet, all with the same cursor; those that may still be written come last. */
export class NewFilePages<Cursor extends Json> {
  private asking: TreeFile[] = [];
  private readonly settling: StabilityCheck;
  private readonly filesAppearWhole: boolean;

  /** `leave` is told of each file that changed meanwhile. */
  constructor(
    private readonly tree: Tree,
    private readonly session: Pick<Session, 'findKnown' | 'now' | 'signal'>,
    private readonly cursor: Cursor,
    private readonly leave: Leave,
    { pauseMs = 5_000, filesAppearWhole = false }: TreeSyncOptions,
  ) {
    this.settling = new StabilityCheck(session, pauseMs);
    this.filesAppearWhole = filesAppearWhole;
  }

  add(file: TreeFile): void {
    this.asking.push(file);
  }

  /** Whether there are enough to be asked about. */
  get areMany(): boolean {
    return this.asking.length >= ASK;
  }

  /** Pages of what was added and is new, but for what may still be written. */
  async *ask(): AsyncGenerator<SourcePage<Cursor>> {
    const files = this.asking;
    if (files.length === 0) return;
    this.asking = [];
    const known = await this.session.findKnown(files.map(keyOf));
    const settled: TreeFile[] = [];
    for (const file of files) {
      if (known.has(keyOf(file))) continue;
      if (this.filesAppearWhole || this.settling.isSettled(file)) settled.push(file);
      else this.settling.wait(file);
    }
    settled.sort((a, b) => (a.modifiedAt?.getTime() ?? 0) - (b.modifiedAt?.getTime() ?? 0));
    yield* this.pages(settled);
    if (this.settling.isFull) yield* this.lookAgain();
  }

  /** The same, and then of what has not changed since it was listed. Throws what `StabilityCheck.lookAgain` throws. */
  async *rest(): AsyncGenerator<SourcePage<Cursor>> {
    yield* this.ask();
    yield* this.lookAgain();
  }

  private async *lookAgain(): AsyncGenerator<SourcePage<Cursor>> {
    for await (const settled of this.settling.lookAgain(this.tree, this.leave)) yield* this.pages(settled);
  }

  private *pages(files: readonly TreeFile[]): Generator<SourcePage<Cursor>> {
    for (let at = 0; at < files.length; at += PAGE) {
      this.session.signal.throwIfAborted();
      yield { documents: files.slice(at, at + PAGE).map(reference), cursor: this.cursor };
    }
  }
}
