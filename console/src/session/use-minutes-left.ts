import { useEffect, useState } from 'react';
import { useConsole } from './console-session';

const WARN_MINUTES = 10;
const CHECK_MS = 15_000;

/** The minutes until the session ends, in its last ten; null before. */
export function useMinutesLeft(): number | null {
  const { expires_at: end } = useConsole().session;
  const [minutes, setMinutes] = useState<number | null>(null);
  useEffect(() => {
    const check = () => {
      const left = Math.ceil((Date.parse(end) - Date.now()) / 60_000);
      setMinutes(left > 0 && left <= WARN_MINUTES ? left : null);
    };
    check();
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
  }, [end]);
  return minutes;
}
