import { useEffect, useState } from 'react';

/** A sentence on what has just happened, good or bad. */
export interface FlashMessage {
  readonly text: string;
  readonly tone: 'good' | 'info' | 'warning';
}

export const successMessage = (text: string): FlashMessage => ({ text, tone: 'good' });

/** A sentence that the next view shows once, such as that something has been saved. */
let pending: FlashMessage | null = null;

export function flash(text: string, tone: FlashMessage['tone'] = 'good'): void {
  pending = { text, tone };
}

/** The sentence for this view, and how to say another one. */
export function useFlash(): [FlashMessage | null, (message: FlashMessage | null) => void] {
  const [message, setMessage] = useState(pending);
  // Only once the view is there: what is drawn and thrown away again must not take it along.
  useEffect(() => {
    pending = null;
  }, []);
  return [message, setMessage];
}
