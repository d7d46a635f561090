import type { FlashMessage } from './flash-message';
import { Notice } from './notice';

/** Where a view says what has just happened. It stays in the page while there is nothing, or it would not be read out. */
export function LiveRegion({ message }: { message: FlashMessage | null }) {
  return (
    <div role="status">
      {message ? (
        <Notice tone={message.tone}>
          <p>{message.text}</p>
        </Notice>
      ) : null}
    </div>
  );
}
