import type { AuthorizationResult } from '@docfetch/sdk';

/**
 * Messages between the hosted UI in a frame and the popup that it opens for a provider (decisions 3). `ready`: the popup asks for its
 * secret; `secret`: the response; `result`: the authorization has ended.
 */
export type PopupMessage =
  | { readonly docfetch: 'ready' }
  | { readonly docfetch: 'secret'; readonly secret: string }
  | { readonly docfetch: 'result'; readonly result: AuthorizationResult; readonly code: string | null };

/** Sends a message, which the browser delivers only to a page of our own origin. */
export function sendMessage(target: Window, message: PopupMessage): void {
  target.postMessage(message, location.origin);
}

/** Listens for messages of our own page in the window that `source` returns. Returns the function that stops listening. */
export function onMessage(source: () => Window | null, handle: (message: PopupMessage) => void): () => void {
  const listener = ({ origin, source: sender, data }: MessageEvent<unknown>) => {
    if (origin !== location.origin || sender === null || sender !== source()) return;
    if (typeof data === 'object' && data !== null && 'docfetch' in data) handle(data as PopupMessage);
  };
  addEventListener('message', listener);
  return () => removeEventListener('message', listener);
}
