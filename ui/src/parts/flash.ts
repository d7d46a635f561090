import { useEffect, useState } from 'react';

/** A sentence on what has just happened, good or bad. */
export interface Said {
  readonly text: string;
  readonly tone: 'good' | 'info' | 'warning';
}

export const good = (text: string): Said => ({ text, tone: 'good' });

/** A sentence that the next view shows once, such as that something has been saved. */
let waiting: Said | null = null;

export function flash(text: string, tone: Said['tone'] = 'good'): void {
  waiting = { text, tone };
}

/** The sentence for this view, and how to say another one. */
export function useFlash(): [Said | null, (said: Said | null) => void] {
  const [said, say] = useState(waiting);
  // Only once the view is there: what is drawn and thrown away again must not take it along.
  useEffect(() => {
    waiting = null;
  }, []);
  return [said, say];
}
