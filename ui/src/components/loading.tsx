import { useEffect, useState } from 'react';
import { useMessages } from '../messages/use-messages';

/** Loading indicator. It appears after 250 ms, so that fast responses do not make it flicker. */
export function Loading({ text }: { text?: string }) {
  const { messages } = useMessages();
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setVisible(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" role="status">
      {visible ? (
        <>
          <span className="spinner" aria-hidden="true" /> {text ?? messages.loading}
        </>
      ) : null}
    </div>
  );
}
