/** The same flags as in docs/integrate/hosted-ui.md: the frame never navigates the page. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';

/** A frame without a page. Hidden, but not without a height: browsers suspend the layout of frames that have none. */
export function createFrame(title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.setAttribute('sandbox', SANDBOX);
  const size = { border: '0', width: '100%', height: '12rem', minHeight: '0', flex: '0 1 auto' };
  Object.assign(frame.style, { ...size, visibility: 'hidden' });
  return frame;
}
