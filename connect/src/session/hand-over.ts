import { type DocfetchResult, readResult, withoutResult } from './result.js';
import type { TokenClaims } from './token.js';

/**
 * A popup that the browser has separated from the page (Cross-Origin-Opener-Policy) cannot send messages to it. It then ends at
 * `return_url`, on the origin of the page, from where the result reaches the page by this channel.
 */
const CHANNEL = 'docfetch-connect';
/** How long the page at `return_url` waits for a page that takes the result. */
const ANSWER_MS = 300;

type ChannelMessage = { readonly returned: string } | { readonly taken: string };

/** Waits for the result of a session. Returns the function that stops waiting. */
export function receiveResult(
  { sub, return_url }: TokenClaims,
  onResult: (result: DocfetchResult) => void,
): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
    if (!('returned' in data)) return;
    const result = readResult(data.returned);
    const isOfSession = withoutResult(data.returned) === return_url.replace(/[?&]$/, '');
    if (result?.identity_uuid !== sub || !isOfSession) return;
    channel.postMessage({ taken: data.returned } satisfies ChannelMessage);
    onResult(result);
  };
  return () => channel.close();
}

/** Offers a result to the page that waits for it. Resolves with whether there is one. */
export function handOver(url: string): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), ANSWER_MS);
    channel.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
      if ('taken' in data && data.taken === url) resolve(true);
    };
    channel.postMessage({ returned: url } satisfies ChannelMessage);
  }).finally(() => channel.close());
}
