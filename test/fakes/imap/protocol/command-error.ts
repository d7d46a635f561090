/** A command that the server does not carry out: NO when it could not, BAD when it should not have been sent. */
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

  /** The answer without its tag. */
  get line(): string {
    return `${this.kind} ${this.code ? `[${this.code}] ` : ''}${this.message}`;
  }
}
