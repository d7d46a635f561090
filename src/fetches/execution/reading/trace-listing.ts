import type { SourcePage } from '../../../integrations/core/source-document';
import { withSpan } from '../../../platform/request/work-scope';
import { errorType, type Tracing } from '../../../platform/tracing/tracing';

/** A listing as a span, which also covers the time in which no further page is asked for. */
export function traceListing(tracing: Tracing, listing: AsyncIterable<SourcePage>): AsyncIterable<SourcePage> {
  return tracing.isOn ? traced(tracing, listing) : listing;
}

async function* traced(tracing: Tracing, listing: AsyncIterable<SourcePage>): AsyncGenerator<SourcePage> {
  const span = tracing.begin('list', { kind: 'INTERNAL' })!;
  const pages = listing[Symbol.asyncIterator]();
  let [read, documents] = [0, 0];
  try {
    for (;;) {
      const next = await withSpan(span, () => pages.next());
      if (next.done) return;
      read++;
      documents += next.value.documents.length;
      yield next.value;
    }
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.set({ 'docfetch.pages': read, 'docfetch.documents': documents });
    span.end();
    await pages.return?.();
  }
}
