import type { Texts } from './texts.js';

/** A button in the dialog. */
export interface DialogAction {
  readonly label: string;
  readonly onClick: () => void;
}

/**
 * A modal dialog over the page. Only properties of `style` are set, because a strict Content-Security-Policy forbids style elements
 * and style attributes; the shadow root keeps the styles of the page out.
 */
export interface ConnectDialog {
  /** Shows a text with buttons, and a frame below it. */
  show(text: string, actions?: readonly DialogAction[], frame?: HTMLIFrameElement): void;
  /** Removes it; the focus and the scroll position of the page are as before. */
  close(): void;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  style: Partial<CSSStyleDeclaration>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  Object.assign(created.style, style);
  created.append(...children);
  return created;
}

function button({ label, onClick }: DialogAction): HTMLButtonElement {
  const created = element('button', { font: 'inherit', padding: '0.5rem 1rem' }, label);
  created.type = 'button';
  created.onclick = onClick;
  return created;
}

/** The element with the focus, also inside of web components. */
function focusedElement(): HTMLElement | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused as HTMLElement | null;
}

/** The page behind the dialog does not scroll, and does not move when its scroll bar disappears. Returns how to undo it. */
function lockScrolling(): () => void {
  const { style, clientWidth } = document.documentElement;
  const before = [style.overflow, style.paddingRight] as const;
  const scrollBar = innerWidth - clientWidth;
  style.overflow = 'hidden';
  if (scrollBar > 0) style.paddingRight = `${scrollBar}px`;
  return () => void ([style.overflow, style.paddingRight] = before);
}

export function openDialog(texts: Texts, onClose: () => void): ConnectDialog {
  const opener = focusedElement();
  const unlockScrolling = lockScrolling();
  const message = element('p', { margin: '0' });
  message.setAttribute('role', 'status');
  const actions = element('div', { display: 'flex', flexWrap: 'wrap', gap: '0.75rem' });
  const notice = element('div', { display: 'grid', gap: '1rem', padding: '1rem 1.5rem 1.5rem' }, message, actions);
  const bar = element(
    'div',
    { display: 'flex', justifyContent: 'end', padding: '0.5rem' },
    button({ label: texts.close, onClick: onClose }),
  );
  const panel = element(
    'div',
    {
      display: 'flex',
      flexDirection: 'column',
      width: 'min(46rem, 100%)',
      maxHeight: '100%',
      borderRadius: '0.75rem',
      overflow: 'hidden',
      background: 'Canvas',
      color: 'CanvasText',
      font: '1rem/1.5 system-ui, sans-serif',
    },
    bar,
    notice,
  );
  const dialog = element(
    'dialog',
    {
      boxSizing: 'border-box',
      display: 'grid',
      gridTemplate: '100% / 100%',
      placeItems: 'center',
      margin: '0',
      width: '100vw',
      maxWidth: 'none',
      height: '100dvh',
      maxHeight: 'none',
      padding: 'min(1rem, 2vw)',
      border: '0',
      overflow: 'hidden',
      background: 'rgb(0 0 0 / 50%)',
      colorScheme: 'light dark',
    },
    panel,
  );
  dialog.setAttribute('aria-label', texts.title);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onClose();
  });
  const host = element('div', {});
  host.attachShadow({ mode: 'open' }).append(dialog);
  document.body.append(host);
  dialog.showModal();

  return {
    show: (text, buttons = [], frame) => {
      message.textContent = text;
      actions.replaceChildren(...buttons.map(button));
      notice.style.display = text ? 'grid' : 'none';
      if (frame) panel.append(frame);
      (actions.querySelector('button') ?? bar.querySelector('button')!).focus();
    },
    close: () => {
      dialog.close();
      host.remove();
      unlockScrolling();
      opener?.focus({ preventScroll: true });
    },
  };
}
