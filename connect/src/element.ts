import { completeDocfetch } from './complete.js';
import { openDocfetch } from './open.js';
import type { DocfetchHandle, DocfetchMode, DocfetchOptions } from './options.js';

/**
 * Defines `<docfetch-connect token-url="…" mode="popup">Connect</docfetch-connect>`: a button that opens the hosted UI. `token-url`
 * is the address of your backend that answers a POST with `{"token": "…"}`; the property `token` takes what `openDocfetch` takes.
 * It sends the events `docfetch-success`, `docfetch-exit` and `docfetch-event`, whose `detail` is the result or the event.
 */
export function defineDocfetchConnect(name = 'docfetch-connect'): void {
  if (customElements.get(name)) return;
  class DocfetchConnect extends HTMLElement {
    /** It may have been set before the element was defined. */
    token: DocfetchOptions['token'] | null = (this as { token?: DocfetchOptions['token'] }).token ?? null;
    private readonly button = document.createElement('button');
    private handle: DocfetchHandle | null = null;
    private readonly handlers = {
      onSuccess: (detail: unknown) => this.send('docfetch-success', detail),
      onExit: (detail: unknown) => this.send('docfetch-exit', detail),
      onEvent: (detail: unknown) => this.send('docfetch-event', detail),
    };

    constructor() {
      super();
      this.button.type = 'button';
      this.button.part.add('button');
      this.button.append(document.createElement('slot'));
      this.button.onclick = () => this.open();
      this.attachShadow({ mode: 'open', delegatesFocus: true }).append(this.button);
    }

    connectedCallback(): void {
      // Later than the scripts of the page, which listen to the events.
      if (document.readyState === 'complete') return void completeDocfetch(this.handlers);
      addEventListener('load', () => void completeDocfetch(this.handlers), { once: true });
    }

    disconnectedCallback(): void {
      this.handle?.close();
    }

    /** Opens the hosted UI, as a click does. */
    open(): void {
      const { handlers } = this;
      this.handle = openDocfetch({
        ...handlers,
        token: this.token ?? (() => this.fetchToken()),
        mode: (this.getAttribute('mode') ?? 'popup') as DocfetchMode,
        baseUrl: this.getAttribute('base-url') ?? undefined,
      });
    }

    private async fetchToken(): Promise<string> {
      const given = this.getAttribute('token');
      if (given !== null) return given;
      const response = await fetch(this.getAttribute('token-url') ?? '', { method: 'POST' });
      if (!response.ok) throw new Error(`token-url answers ${response.status}.`);
      return ((await response.json()) as { token: string }).token;
    }

    private send(type: string, detail: unknown): void {
      this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
    }
  }
  customElements.define(name, DocfetchConnect);
}
