/** A sentence that the next view shows once, such as that something has been saved. */
let waiting: string | null = null;

export function flash(text: string): void {
  waiting = text;
}

export function takeFlash(): string | null {
  const text = waiting;
  waiting = null;
  return text;
}
