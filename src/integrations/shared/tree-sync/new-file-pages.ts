import type { Session } from '../../core/integration';
import type { Json, SourcePage } from '../../core/source-document';
import { keyOf, reference } from './selection/file-document';
import { type Defer, StabilityCheck } from './stability-check';
import type { Tree, TreeFile } from './files/tree';

/** Keys per lookup of known documents: few queries, little memory. */
const KEYS_PER_LOOKUP = 500;
/** Documents per page. */
const DOCUMENTS_PER_PAGE = 100;

/** Tests shorten it. */
export const STABILITY_CHECK = {
  /** Milliseconds between the two checks of a recently changed file. */
  pauseMs: 5_000,
};

export interface TreeSyncOptions {
  /** Instead of `STABILITY_CHECK.pauseMs`. */
  readonly pauseMs?: number;
  /** Whether files are listed only after they are completely written, so that no stability check is needed. Default false. */
  readonly filesAppearWhole?: boolean;
}

/** Builds pages of the new files of a synchronization, all with the same cursor; files that may still be written come last. */
export class NewFilePages<Cursor extends Json> {
  private pending: TreeFile[] = [];
  private readonly stabilityCheck: StabilityCheck;
  private readonly filesAppearWhole: boolean;

  /** `defer` is called with each file that has changed in the meantime. */
  constructor(
    private readonly tree: Tree,
    private readonly session: Pick<Session, 'findKnown' | 'now' | 'signal'>,
    private readonly cursor: Cursor,
    private readonly defer: Defer,
    { pauseMs = STABILITY_CHECK.pauseMs, filesAppearWhole = false }: TreeSyncOptions,
  ) {
    this.stabilityCheck = new StabilityCheck(session, pauseMs);
    this.filesAppearWhole = filesAppearWhole;
  }

  add(file: TreeFile): void {
    this.pending.push(file);
  }

  /** Whether there are enough files for a lookup. */
  get isFull(): boolean {
    return this.pending.length >= KEYS_PER_LOOKUP;
  }

  /** Yields pages of the added files that are new, without those that may still be written. */
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

  /** Yields the remaining pages, including the files that passed the stability check. Throws what `StabilityCheck.recheck` throws. */
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
