import { useEffect, useRef, useState } from 'react';

const MINUTE_MS = 60_000;
/** From here on the end is announced. */
const WARN_MINUTES = 5;
/** A signed address is good for five minutes: it is fetched so late that it can still be used a while after the end. */
const SIGN_BEFORE_MS = 30_000;

/** Minutes that are left when they are few, else null. Timers that a sleeping device has missed are made up for. */
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
