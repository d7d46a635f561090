import type { FlashMessage } from './flash-message';
import { Notice } from './notice';

/** Live region for flash messages. It stays in the page while empty: screen readers announce only changes of an existing region. */
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
