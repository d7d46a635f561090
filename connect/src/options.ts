import type { DocfetchResult } from './session/result.js';

export type DocfetchMode = 'popup' | 'iframe' | 'redirect';

export type DocfetchErrorCode =
  /** `token` is not a UI token, or the function that gets it has failed. */
  | 'TOKEN_UNAVAILABLE'
  /** The page does not have the origin of the `return_url` of the token, to which alone the hosted UI reports. */
  | 'ORIGIN_MISMATCH'
  /** The browser has blocked the popup. The dialog offers to open it with a click, or to continue in the same window. */
  | 'POPUP_BLOCKED'
  /** The popup was closed before it was loaded, or the browser has separated it from the page (Cross-Origin-Opener-Policy). */
  | 'POPUP_LOST'
  /** The hosted UI does not answer in its frame: the token is no longer valid, or the environment does not allow to embed it. */
  | 'NOT_LOADED';

export type DocfetchEvent =
  | { readonly type: 'open' | 'ready' | 'close' }
  | { readonly type: 'view'; readonly view: string }
  /** Something was done; the hosted UI stays open. */
  | { readonly type: 'change'; readonly result: DocfetchResult }
  | { readonly type: 'error'; readonly code: DocfetchErrorCode };

export interface DocfetchResultHandlers {
  /** The user has completed the task. */
  readonly onSuccess?: (result: DocfetchResult) => void;
  /** The hosted UI was closed without a success. */
  readonly onExit?: (result: DocfetchResult) => void;
}

export interface DocfetchOptions extends DocfetchResultHandlers {
  /** A UI token of `POST /token`, or a function that gets one from your backend. */
  readonly token: string | (() => string | Promise<string>);
  /** Default `popup`. */
  readonly mode?: DocfetchMode;
  /** The address of the service. By default the one in the token. */
  readonly baseUrl?: string;
  readonly onEvent?: (event: DocfetchEvent) => void;
}

export interface DocfetchHandle {
  /** Closes the hosted UI, as the user can. */
  close(): void;
}

export function deliver(result: DocfetchResult, { onSuccess, onExit }: DocfetchResultHandlers): void {
  (result.result === 'success' ? onSuccess : onExit)?.(result);
}
