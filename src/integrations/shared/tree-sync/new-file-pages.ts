import type { Session } from '../../core/integration';
import type { Json, SourcePage } from '../../core/source-document';
import { keyOf, reference } from './selection/file-document';
import { type Defer, StabilityCheck } from './stability-check';
import type { Tree, TreeFile } from './files/tree';

/** So many files are asked about at once: few questions, little memory. */
const KEYS_PER_LOOKUP = 500;
/** References a page. */
const DOCUMENTS_PER_PAGE = 100;

export interface TreeSyncOptions {
  /** Milliseconds between two looks at a file that was changed a moment ago. Default 5,000. */
  readonly pauseMs?: number;
  /** The source shows no file before it has all of it, so none has to be looked at twice. Default false. */
  readonly filesAppearWhole?: boolean;
}

/** Makes pages of those of a walk's files that are not known yet, all with the same cursor; those that may still be written come last. */
export class NewFilePages<Cursor extends Json> {
  private pending: TreeFile[] = [];
  private readonly stabilityCheck: StabilityCheck;
  private readonly filesAppearWhole: boolean;

  /** `leave` is told of each file that changed meanwhile. */
  constructor(
    private readonly tree: Tree,
    private readonly session: Pick<Session, 'findKnown' | 'now' | 'signal'>,
    private readonly cursor: Cursor,
    private readonly defer: Defer,
    { pauseMs = 5_000, filesAppearWhole = false }: TreeSyncOptions,
  ) {
    this.stabilityCheck = new StabilityCheck(session, pauseMs);
    this.filesAppearWhole = filesAppearWhole;
  }

  add(file: TreeFile): void {
    this.pending.push(file);
  }

  /** Whether there are enough to be asked about. */
  get isFull(): boolean {
    return this.pending.length >= KEYS_PER_LOOKUP;
  }

  /** Pages of what was added and is new, but for what may still be written. */
  async *flush(): AsyncGenerator<SourcePage<Cursor>> {
    const files = this.pending;
    if (files.length === 0) return;
    this.pending = [];
    const known = await this.session.findKnown(files.map(keyOf));
    const stable: TreeFile[] = [];
    for (const file of files) {
      if (known.has(keyOf(file))) continue;
      if (this.filesAppearWhole || this.stabilityCheck.isStable(file)) stable.push(file);
      else this.stabilityCheck.defer(file);
    }
    stable.sort((a, b) => (a.modifiedAt?.getTime() ?? 0) - (b.modifiedAt?.getTime() ?? 0));
    yield* this.pages(stable);
    if (this.stabilityCheck.isFull) yield* this.recheck();
  }

  /** The same, and then of what has not changed since it was listed. Throws what `StabilityCheck.lookAgain` throws. */
  async *finish(): AsyncGenerator<SourcePage<Cursor>> {
    yield* this.flush();
    yield* this.recheck();
  }

  private async *recheck(): AsyncGenerator<SourcePage<Cursor>> {
    for await (const stable of this.stabilityCheck.recheck(this.tree, this.defer)) yield* this.pages(stable);
  }

  private *pages(files: readonly TreeFile[]): Generator<SourcePage<Cursor>> {
    for (let at = 0; at < files.length; at += DOCUMENTS_PER_PAGE) {
      this.session.signal.throwIfAborted();
      yield { documents: files.slice(at, at + DOCUMENTS_PER_PAGE).map(reference), cursor: this.cursor };
    }
  }
}
