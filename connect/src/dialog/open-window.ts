/** Browsers report in no other way that a window was closed. */
const CHECK_MS = 300;

/** An empty popup in the middle of the page; null if the browser has blocked it. */
export function openWindow(): Window | null {
  const [width, height] = [560, 760];
  const left = Math.max(0, screenX + (outerWidth - width) / 2);
  const top = Math.max(0, screenY + (outerHeight - height) / 2);
  return open('', '_blank', `popup,width=${width},height=${height},left=${left},top=${top}`);
}

/** Calls the handler once when the window is closed. Returns the function that stops checking. */
export function whenClosed(target: Window, onClosed: () => void): () => void {
  const timer = setInterval(() => {
    if (!target.closed) return;
    clearInterval(timer);
    onClosed();
  }, CHECK_MS);
  return () => clearInterval(timer);
}
