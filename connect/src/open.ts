import { type ConnectDialog, type DialogAction, openDialog } from './dialog/dialog.js';
import { createFrame } from './dialog/frame.js';
import { receiveResult } from './session/hand-over.js';
import {
  deliver,
  type DocfetchErrorCode,
  type DocfetchEvent,
  type DocfetchHandle,
  type DocfetchMode,
  type DocfetchOptions,
} from './options.js';
import { openWindow, whenClosed } from './dialog/open-window.js';
import { isConnectMessage, type PageMessage, type UiMessage } from './protocol.js';
import { type DocfetchResult, readResult } from './session/result.js';
import { textsFor } from './dialog/texts.js';
import { readToken, reportingUrl, type TokenClaims, uiUrl } from './session/token.js';

/** How long the hosted UI may take in its frame until the dialog says that it was not loaded. */
const LOAD_MS = 15_000;

/** Opens the hosted UI. Call it within a click: browsers open popups, and navigate away without asking, only then. */
export function openDocfetch(options: DocfetchOptions): DocfetchHandle {
  const session = new ConnectSession(options);
  session.open();
  return { close: () => session.close() };
}

/** The hosted UI next to a page, until it is closed. */
class ConnectSession {
  private readonly mode: DocfetchMode;
  private texts = textsFor(undefined);
  private dialog: ConnectDialog | null = null;
  private target: Window | null = null;
  private claims: TokenClaims | null = null;
  private url: URL | null = null;
  private frame: HTMLIFrameElement | undefined;
  private latest: DocfetchResult | null = null;
  private isReady = false;
  private isClosed = false;
  private readonly cleanUp: (() => void)[] = [];

  constructor(private readonly options: DocfetchOptions) {
    this.mode = options.mode ?? 'popup';
  }

  open(): void {
    this.emit({ type: 'open' });
    // Before anything asynchronous, because a click allows a popup for a short time only.
    if (this.mode === 'popup') this.target = openWindow();
    if (this.mode !== 'redirect') this.listen();
    void this.start();
  }

  close(): void {
    const nothing = { url: null, action: 'none', identity_uuid: this.claims?.sub ?? null } as const;
    this.finish(this.latest ?? { ...nothing, result: this.claims ? 'cancelled' : 'error' });
  }

  private async start(): Promise<void> {
    const { token } = this.options;
    try {
      if (typeof token === 'string') this.accept(token);
      else {
        this.showWaiting();
        this.accept(await token());
      }
    } catch (error) {
      reportError(error);
      this.showWaiting();
      return this.fail('TOKEN_UNAVAILABLE');
    }
    if (this.isClosed) return;
    if (this.mode === 'redirect') return location.assign(this.url!);
    this.showWaiting();
    const claims = this.claims!;
    if (new URL(claims.return_url).origin !== location.origin) {
      reportError(new Error(`The return_url of the token is not on ${location.origin}.`));
      return this.fail('ORIGIN_MISMATCH');
    }
    this.cleanUp.push(receiveResult(claims, (result) => this.finish(result)));
    if (this.mode === 'popup') this.navigatePopup();
    else this.loadFrame();
  }

  private accept(token: string): void {
    const claims = readToken(token);
    this.url = uiUrl(this.options.baseUrl ?? claims.iss, token);
    this.claims = claims;
    this.texts = textsFor(claims.lang);
  }

  private listen(): void {
    const listener = (event: MessageEvent<unknown>) => this.receive(event);
    addEventListener('message', listener);
    this.cleanUp.push(() => removeEventListener('message', listener));
  }

  /** Only what the window of this session sends from a page of the service. */
  private receive({ source, origin, data }: MessageEvent<unknown>): void {
    if (!source || source !== this.target || origin !== this.url?.origin || !isConnectMessage(data)) return;
    const message = data as UiMessage;
    switch (message.docfetchConnect) {
      case 'ready':
        return this.connect();
      case 'height':
        if (this.frame) this.frame.style.height = `${Math.ceil(Number(message.height))}px`;
        return;
      case 'view':
        return this.emit({ type: 'view', view: String(message.view) });
      case 'result':
        return this.record(readResult(String(message.url)));
      case 'done':
        this.latest = (message.url && readResult(message.url)) || this.latest;
        this.close();
    }
  }

  private connect(): void {
    const message: PageMessage = { docfetchConnect: 'connected' };
    this.target!.postMessage(message, this.url!.origin);
    if (this.isReady) return;
    this.isReady = true;
    this.emit({ type: 'ready' });
    if (!this.frame) return;
    this.dialog!.show('');
    this.frame.style.visibility = 'visible';
    this.frame.focus();
  }

  private record(result: DocfetchResult | null): void {
    if (!result) return;
    const { latest } = this;
    this.latest = result;
    const isChange = latest && (latest.action !== result.action || latest.connection_uuid !== result.connection_uuid);
    if (isChange || (latest && latest.result !== result.result)) this.emit({ type: 'change', result });
  }

  private loadFrame(): void {
    this.frame = createFrame(this.texts.title);
    this.dialog!.show(this.texts.loading, [], this.frame);
    this.target = this.frame.contentWindow;
    // Not by `src`: programs that record the elements of a page would record the token.
    this.target!.location.replace(reportingUrl(this.url!, this.mode));
    const timer = setTimeout(() => this.isReady || this.fail('NOT_LOADED'), LOAD_MS);
    this.cleanUp.push(() => clearTimeout(timer));
  }

  private navigatePopup(): void {
    if (!this.target || this.target.closed) return this.fail('POPUP_BLOCKED');
    this.target.location.replace(reportingUrl(this.url!, this.mode));
    this.showWaiting();
    this.cleanUp.push(whenClosed(this.target, () => (this.isReady ? this.close() : this.fail('POPUP_LOST'))));
  }

  private showWaiting(): void {
    if (this.mode === 'redirect') return;
    const { texts, target } = this;
    this.dialog ??= openDialog(texts, () => this.close());
    if (!target) return this.dialog.show(texts.loading);
    this.dialog.show(texts.popupOpen, [{ label: texts.popupShow, onClick: () => target.focus() }]);
  }

  /** Says what is wrong, and offers other ways to the hosted UI: nothing fails silently. */
  private fail(code: DocfetchErrorCode): void {
    if (this.isClosed) return;
    this.emit({ type: 'error', code });
    const { texts, url } = this;
    if (this.mode === 'redirect') return this.close();
    const sameWindow: DialogAction = { label: texts.sameWindow, onClick: () => location.assign(url!) };
    const openPopup: DialogAction = {
      label: texts.openWindow,
      onClick: () => {
        this.target = openWindow();
        this.navigatePopup();
      },
    };
    if (code === 'POPUP_BLOCKED') return this.dialog!.show(texts.popupBlocked, [openPopup, sameWindow]);
    if (code === 'POPUP_LOST') return this.dialog!.show(texts.popupSeparate, [openPopup, sameWindow]);
    if (this.mode === 'popup') this.target?.close();
    // A frame stays: it may only be slow. It takes no visible space, and has a height (`createFrame`).
    if (this.frame) this.frame.style.height = '1px';
    if (code === 'NOT_LOADED') return this.dialog!.show(texts.notLoaded, [sameWindow]);
    this.dialog!.show(texts.failed, []);
  }

  private finish(result: DocfetchResult): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const end of this.cleanUp) end();
    this.dialog?.close();
    if (this.mode === 'popup') this.target?.close();
    this.emit({ type: 'close' });
    deliver(result, this.options);
  }

  private emit(event: DocfetchEvent): void {
    this.options.onEvent?.(event);
  }
}
