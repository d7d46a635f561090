import type { Writable } from 'node:stream';

/** Characters that control a terminal or reorder text; names of files come from e-mails and portals. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** One line of text that cannot control a terminal. */
export const plain = (text: string): string => text.replaceAll(CONTROL, ' ');

/** The results of a command: with `--json` one JSON object per line, otherwise text. */
export class Output {
  constructor(
    private readonly stdout: Writable,
    private readonly stderr: Writable,
    readonly asJson: boolean,
  ) {}

  /** Prints one result. */
  print(value: object, lines: readonly string[]): void {
    const text = this.asJson ? [JSON.stringify(value)] : lines.map(plain);
    this.stdout.write(text.map((line) => `${line}\n`).join(''));
  }

  /** Prints progress on standard error, without `--json`. */
  note(text: string): void {
    if (!this.asJson) this.stderr.write(`${plain(text)}\n`);
  }

  /** Prints a failure on standard error. */
  failure(value: { readonly code: string; readonly message: string; readonly request_id?: string | null }): void {
    const id = value.request_id ? ` (${value.request_id})` : '';
    this.stderr.write(this.asJson ? `${JSON.stringify({ error: value })}\n` : `${plain(value.message)}${id}\n`);
  }
}
