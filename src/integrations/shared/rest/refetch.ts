import { ConnectionLost } from '../tree-sync/files/resumable-read';

/** So many broken lines in a row, without a new byte in between, are one too many. */
const MAX_ATTEMPTS = 3;

/**
 * Bytes from a source that gives them from the beginning only. When the line breaks (`ConnectionLost`), they are asked for again and
 * what was given out already is passed over; the source has to be one that never changes. `first` is what was opened already.
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
