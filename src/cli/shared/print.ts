import type { Terminal } from './terminal';

/** The output of commands: JSON with `--json`, otherwise text. */
export class Print {
  constructor(private readonly terminal: Terminal) {}

  /** Prints a progress line. */
  line(text: string): void {
    this.terminal.stdout.write(`${text}\n`);
  }

  result(asJson: boolean | undefined, value: object, lines: readonly string[]): void {
    this.terminal.stdout.write(asJson ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`);
  }
}
