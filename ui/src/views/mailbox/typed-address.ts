/**
 * The address that the user typed before the view of mailboxes was opened. Not in the URL, because the history of the browser keeps
 * that.
 */
let typed: string | null = null;

export function setTypedAddress(address: string): void {
  typed = address;
}

/** Returns it once. */
export function takeTypedAddress(): string | null {
  const address = typed;
  typed = null;
  return address;
}
