import { useEffect, useState } from 'react';

/** A sentence that the next view shows once, such as that something has been saved. */
let waiting: string | null = null;

export function flash(text: string): void {
  waiting = text;
}

/** The sentence for this view, and how to say another one. */
export function useFlash(): [string | null, (text: string | null) => void] {
  const [said, say] = useState(waiting);
  // Only once the view is there: what is drawn and thrown away again must not take it along.
  useEffect(() => {
    waiting = null;
  }, []);
  return [said, say];
}
