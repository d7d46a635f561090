import type { Integration } from '../../../../src/integrations/core/integration';
import type { DocumentRef, Json, SourceDocument } from '../../../../src/integrations/core/source-document';

export const PAGE = 3;
type Open = (ref: DocumentRef, real: () => Promise<SourceDocument>) => Promise<SourceDocument>;

/** A source with small pages, each with its number as the cursor. */
export class PagedSource {
  /** The number of documents. */
  there = Infinity;
  open: Open = (_, real) => real();
  /** Called with each requested page before it is listed. */
  beforePage: (number: number) => unknown = () => undefined;
  /** The arguments of the listings. */
  readonly cursors: Json[] = [];
  isLeft = false;

  constructor(private readonly real: Integration) {}

  integration(): Integration {
    return {
      ...this.real,
      list: (...given) => this.list(...given),
      download: (session, ref) => this.open(ref, () => this.real.download(session, ref)),
    };
  }

  private async *list(...[session, cursor, startdate]: Parameters<Integration['list']>) {
    this.cursors.push(cursor);
    const documents: DocumentRef[] = [];
    for await (const page of this.real.list(session, null, startdate)) documents.push(...page.documents);
    documents.splice(this.there);
    try {
      for (let number = Number(cursor ?? 0); number * PAGE < documents.length; number++) {
        await this.beforePage(number);
        yield { documents: documents.slice(number * PAGE, (number + 1) * PAGE), cursor: number + 1 };
      }
    } finally {
      this.isLeft = true;
    }
  }
}
