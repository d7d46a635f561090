import { pdfOf, type StripeDocument } from './stripe-api';

/** So many are remembered by their ids: the cursor is written with every page. */
const MAX_DRAFTS = 1000;

/** The documents that had no PDF when they were seen. */
export class PendingDrafts {
  private readonly ids: Map<string, number>;
  /** When the oldest was made that there was no room for. */
  private oldestForgotten = Infinity;

  constructor(kept: Readonly<Record<string, number>> = {}) {
    this.ids = new Map(Object.entries(kept));
  }

  get size(): number {
    return this.ids.size;
  }

  get kept(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.ids);
  }

  /** Whether it waits. */
  update(document: StripeDocument): boolean {
    const { id, created } = document;
    if (pdfOf(document) !== null) this.ids.delete(id);
    else if (this.ids.size < MAX_DRAFTS) this.ids.set(id, created);
    else if (!this.ids.has(id)) this.oldestForgotten = Math.min(this.oldestForgotten, created);
    return pdfOf(document) === null;
  }

  forget(id: string): void {
    this.ids.delete(id);
  }

  /** How far a listing may count as read: what there was no room for has to come up again. */
  bound(until: number): number {
    return Math.min(until, this.oldestForgotten);
  }
}
