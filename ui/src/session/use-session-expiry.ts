import { useEffect, useRef, useState } from 'react';

const MINUTE_MS = 60_000;
/** The end of the session is announced this many minutes before. */
const WARN_MINUTES = 5;
/** A signed return URL is valid for five minutes: requested this late, it can still be used for a while after the end. */
const SIGN_BEFORE_MS = 30_000;

/** Minutes until the end of the session if at most five are left, else null. Also checks when a sleeping device wakes up. */
export function useSessionExpiry(expiresAt: string, on: { beforeEnd: () => void; atEnd: () => void }): number | null {
  const [minutes, setMinutes] = useState<number | null>(null);
  const handlers = useRef(on);
  handlers.current = on;
  useEffect(() => {
    let signed = false;
    const update = () => {
      const left = Date.parse(expiresAt) - Date.now();
      if (left <= SIGN_BEFORE_MS && left > 0 && !signed) {
        signed = true;
        handlers.current.beforeEnd();
      }
      if (left <= 0) {
        clearInterval(timer);
        handlers.current.atEnd();
      }
      setMinutes(left > 0 && left <= WARN_MINUTES * MINUTE_MS ? Math.max(1, Math.floor(left / MINUTE_MS)) : null);
    };
    const timer = setInterval(update, 5_000);
    document.addEventListener('visibilitychange', update);
    update();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [expiresAt]);
  return minutes;
}
