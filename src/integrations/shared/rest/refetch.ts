import { ConnectionLost } from '../tree-sync/files/resumable-read';

/** Attempts without a new byte before the error is reported. */
const MAX_ATTEMPTS = 3;

/**
 * Reads from a source without range support. When the connection breaks (`ConnectionLost`), the content is requested again and the
 * part that was already returned is skipped; it must never change. `first` is the response that is already open.
 */
export async function* refetch(
  read: () => Promise<AsyncIterable<Buffer>>,
  first: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let given = 0;
  let opened: AsyncIterable<Buffer> | null = first;
  for (let attempts = MAX_ATTEMPTS; ;) {
    try {
      let position = 0;
      for await (const bytes of opened ?? (await read())) {
        const fresh = bytes.subarray(Math.max(0, given - position));
        position += bytes.length;
        if (fresh.length === 0) continue;
        given += fresh.length;
        attempts = MAX_ATTEMPTS;
        yield fresh;
      }
      return;
    } catch (error) {
      if (!(error instanceof ConnectionLost) || --attempts === 0) throw error;
    }
    opened = null;
  }
}
