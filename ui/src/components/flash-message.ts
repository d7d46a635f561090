import { useEffect, useState } from 'react';

/** A message about the result of the last action. */
export interface FlashMessage {
  readonly text: string;
  readonly tone: 'good' | 'info' | 'warning';
  /** What the page does not need to say in a second place. */
  readonly about?: 'paused' | 'denied';
}

export const successMessage = (text: string, about?: FlashMessage['about']): FlashMessage => ({
  text,
  tone: 'good',
  about,
});

/** The message that the next view shows once, for example that changes have been saved. */
let pending: FlashMessage | null = null;

export function flash(message: FlashMessage): void {
  pending = message;
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
