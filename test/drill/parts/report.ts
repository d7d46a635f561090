/** What a drill did, saw and found, with the time since its beginning. */
export class Report {
  failed = 0;
  passed = 0;
  private readonly started = performance.now();

  constructor(private readonly name: string) {}

  /** A change that was observed. */
  readonly event = (line: string): void => this.print('    ', line);

  /** A step of the operator. */
  step(line: string): void {
    this.print('  > ', line);
  }

  fact(line: string): void {
    this.print('  = ', line);
  }

  check(what: string, isTrue: boolean): void {
    if (isTrue) this.passed++;
    else this.failed++;
    this.print(isTrue ? '  ✓ ' : '  ✗ ', what);
  }

  private print(mark: string, line: string): void {
    const seconds = (performance.now() - this.started) / 1000;
    process.stdout.write(`${this.name.padEnd(18)} ${seconds.toFixed(1).padStart(7)} s${mark}${line}\n`);
  }
}
