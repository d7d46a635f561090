import { pdfOf, type StripeDocument } from './stripe-api';

/** The maximum number of drafts in the cursor, which is written with every page. */
const MAX_DRAFTS = 1000;

/** The listed drafts, which have no PDF yet. */
export class PendingDrafts {
  private readonly ids: Map<string, number>;
  /** The creation time of the oldest draft that exceeded the limit. */
  private oldestDropped = Infinity;

  constructor(kept: Readonly<Record<string, number>> = {}) {
    this.ids = new Map(Object.entries(kept));
  }

  get size(): number {
    return this.ids.size;
  }

  get kept(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.ids);
  }

  /** Adds a draft, or removes a finalized one. Returns whether it is pending. */
  update(document: StripeDocument): boolean {
    const { id, created } = document;
    if (pdfOf(document) !== null) this.ids.delete(id);
    else if (this.ids.size < MAX_DRAFTS) this.ids.set(id, created);
    else if (!this.ids.has(id)) this.oldestDropped = Math.min(this.oldestDropped, created);
    return pdfOf(document) === null;
  }

  forget(id: string): void {
    this.ids.delete(id);
  }

  /** Limits the progress of a listing, so that drafts above the limit are listed again. */
  bound(until: number): number {
    return Math.min(until, this.oldestDropped);
  }
}
