/** A command that the server does not execute: NO when it fails, BAD when it is invalid. */
export class ImapCommandError extends Error {
  constructor(
    readonly kind: 'NO' | 'BAD',
    text: string,
    /** A response code such as `AUTHENTICATIONFAILED` (RFC 5530). */
    readonly code?: string,
  ) {
    super(text);
    this.name = 'Refusal';
  }

  /** The response without its tag. */
  get line(): string {
    return `${this.kind} ${this.code ? `[${this.code}] ` : ''}${this.message}`;
  }
}
