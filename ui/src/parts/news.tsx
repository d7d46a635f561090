import type { Said } from './flash';
import { Notice } from './notice';

/** Where a view says what has just happened. It stays in the page while there is nothing, or it would not be read out. */
export function News({ said }: { said: Said | null }) {
  return (
    <div role="status">
      {said ? (
        <Notice tone={said.tone}>
          <p>{said.text}</p>
        </Notice>
      ) : null}
    </div>
  );
}
