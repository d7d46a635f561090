import { styleText } from 'node:util';

/** The message of a failed step: one sentence, with optional detail lines. */
export class DemoFailure extends Error {
  constructor(
    message: string,
    readonly details: readonly string[] = [],
  ) {
    super(message);
  }
}

/** Prints progress, one line per step. On a terminal it also shows the current step. */
export class Display {
  private readonly live = process.stdout.isTTY === true && process.env.TERM !== 'dumb';
  private running = '';
  private muted = false;

  /** Discards all further output. */
  mute(): void {
    this.show('');
    this.muted = true;
  }

  /** Prints an unchanged line. */
  line(text = ''): void {
    if (this.muted) return;
    this.clear();
    process.stdout.write(`${text}\n`);
    this.draw();
  }

  title(text: string): void {
    this.line(paint('bold', text));
  }

  /** Prints a completed step. */
  tick(outcome: string): void {
    this.line(`${paint('green', '✓')} ${outcome}`);
  }

  /**
   * Shows the step while it runs, then its result. `work` may change the line while it runs.
   * Rejects as `work` does, after marking the line.
   */
  async step(name: string, work: (progress: (text: string) => void) => Promise<string>): Promise<void> {
    this.show(name);
    try {
      const outcome = await work((text) => this.show(`${name}: ${text}`));
      this.show('');
      this.tick(outcome);
    } catch (error) {
      this.show('');
      this.line(`${paint('red', '✗')} ${name}`);
      throw error;
    }
  }

  failure(error: unknown): void {
    this.show('');
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`\n${message}\n`);
    if (error instanceof DemoFailure) for (const detail of error.details) process.stderr.write(`  ${detail}\n`);
  }

  private show(text: string): void {
    if (this.muted) return;
    this.clear();
    this.running = text;
    this.draw();
  }

  private clear(): void {
    if (this.live && this.running) process.stdout.write('\r\x1b[2K');
  }

  /** Truncated to the width of the terminal, because a wrapped line cannot be erased. */
  private draw(): void {
    if (this.live && this.running)
      process.stdout.write(`· ${this.running} …`.slice(0, (process.stdout.columns ?? 80) - 1));
  }
}

/** In color on a terminal that supports it, unless NO_COLOR is set. */
export function paint(style: 'bold' | 'green' | 'red' | 'dim', text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
