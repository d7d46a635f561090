/**
 * Messages between the hosted UI and the page that has opened it (decisions 9). Released versions of both exchange them:
 * types and members may be added, never changed or removed. Every message has the member `docfetchConnect`.
 */

/** From the hosted UI to the page, sent to exactly the origin that the service knows. */
export type UiMessage =
  /** The session is loaded; the page answers with `connected`. */
  | { readonly docfetchConnect: 'ready' }
  /** The height of the content in CSS pixels, in a frame only. */
  | { readonly docfetchConnect: 'height'; readonly height: number }
  /** The user has opened another view. */
  | { readonly docfetchConnect: 'view'; readonly view: string }
  /** The signed address of what has been done so far: used when the page closes the hosted UI. */
  | { readonly docfetchConnect: 'result'; readonly url: string }
  /** The user has finished. Without an address, the last one of `result` applies. */
  | { readonly docfetchConnect: 'done'; readonly url: string | null };

/** From the page to the hosted UI, sent to exactly the origin of the service. */
export type PageMessage = { readonly docfetchConnect: 'connected' };

/** How the hosted UI is shown next to the page: the value of the query parameter `connect` of its address. */
export type ConnectMode = 'popup' | 'iframe';

/** Whether a message is one of these, and not one of another script. */
export function isConnectMessage(data: unknown): data is UiMessage | PageMessage {
  return typeof data === 'object' && data !== null && 'docfetchConnect' in data;
}
