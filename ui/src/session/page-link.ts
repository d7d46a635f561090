import type { UiSession } from '@docfetch/sdk';
import { isConnectMessage, type UiMessage } from '../../../connect/src/protocol';
import { CONNECT_MODE } from './connect-mode';

/** How long the page may take to close the hosted UI; longer, and it has been reloaded or left in the meantime. */
const CLOSE_MS = 1_500;

/** The link of this page: there is one page that has opened it. */
let current: PageLink | null = null;

/** The page that has opened the hosted UI with `@docfetch/connect`: receives its results, and closes it (decisions 9). */
export class PageLink {
  private isConnected = false;

  private constructor(
    private readonly page: Window,
    private readonly origin: string,
  ) {
    addEventListener('message', ({ source, origin: sender, data }: MessageEvent<unknown>) => {
      if (source === page && sender === origin && isConnectMessage(data)) this.isConnected = true;
    });
  }

  /** The link of a session; null without a page, or if the service does not know its origin. */
  static open({ client_origin: origin }: Pick<UiSession, 'client_origin'>): PageLink | null {
    if (current || CONNECT_MODE === null || origin === null) return current;
    const link = new PageLink(CONNECT_MODE === 'popup' ? (window.opener as Window) : window.parent, origin);
    if (CONNECT_MODE === 'iframe') link.adaptToFrame();
    link.send({ docfetchConnect: 'ready' });
    current = link;
    return link;
  }

  /** Sends a message, which the browser delivers only to a page of the origin that the service knows. */
  send(message: UiMessage): void {
    this.page.postMessage(message, this.origin);
  }

  /**
   * Asks the page to close the hosted UI. If no page listens, this page navigates to the URL.
   * @param signedUrl null if the page has received the last result already
   */
  finish(signedUrl: string | null, url = signedUrl): void {
    this.send({ docfetchConnect: 'done', url: signedUrl });
    if (url) setTimeout(() => location.assign(url), this.isConnected ? CLOSE_MS : 0);
  }

  /** The frame has the height of its content, and Escape closes it unless it closes something inside. */
  private adaptToFrame(): void {
    document.documentElement.classList.add('in-frame');
    const root = document.getElementById('root')!;
    new ResizeObserver(() => {
      this.send({ docfetchConnect: 'height', height: root.getBoundingClientRect().height });
    }).observe(root);
    let closesList = false;
    const checkList = () => (closesList = !!document.activeElement?.matches('[role=combobox][aria-expanded=true]'));
    addEventListener('keydown', checkList, { capture: true });
    addEventListener('keydown', ({ key, defaultPrevented }) => {
      if (key === 'Escape' && !defaultPrevented && !closesList) this.finish(null);
    });
  }
}
