import { useEffect, useState } from 'react';
import { useMessages } from '../messages/use-messages';

/** Says that something is on its way, but only when it takes long enough to be noticed. */
export function Loading({ text }: { text?: string }) {
  const { messages } = useMessages();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" role="status">
      {late ? (
        <>
          <span className="spinner" aria-hidden="true" /> {text ?? messages.loading}
        </>
      ) : null}
    </div>
  );
}
