import { handOver } from './session/hand-over.js';
import { deliver, type DocfetchResultHandlers } from './options.js';
import { type DocfetchResult, readResult, withoutResult } from './session/result.js';

/**
 * Call it on the page at `return_url`. After the mode `redirect`, it removes the result from the address bar and passes it to the
 * handlers. In a popup that the browser has separated from the page, it passes the result to that page and closes the popup.
 * @returns the result; null if the address has none, or if another page has taken it
 */
export async function completeDocfetch(handlers: DocfetchResultHandlers = {}): Promise<DocfetchResult | null> {
  const result = readResult(location.href);
  if (!result) return null;
  history.replaceState(history.state, '', withoutResult(location.href));
  if (await handOver(result.url!)) {
    close();
    return null;
  }
  deliver(result, handlers);
  return result;
}
