import { useEffect, useState } from 'react';

/** A message about the result of the last action. */
export interface FlashMessage {
  readonly text: string;
  readonly tone: 'good' | 'info' | 'warning';
}

export const successMessage = (text: string): FlashMessage => ({ text, tone: 'good' });

/** The message that the next view shows once, for example that changes have been saved. */
let pending: FlashMessage | null = null;

export function flash(text: string, tone: FlashMessage['tone'] = 'good'): void {
  pending = { text, tone };
}

/** The message of this view, and a function that replaces it. */
export function useFlash(): [FlashMessage | null, (message: FlashMessage | null) => void] {
  const [message, setMessage] = useState(pending);
  // Cleared only after the view is mounted: a render that React discards must not consume the message.
  useEffect(() => {
    pending = null;
  }, []);
  return [message, setMessage];
}
