import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The offset of the clock of other processes, in a file (see `follow-clock.cjs`). */
export class ProcessClock {
  private offsetMs = 0;

  private constructor(
    private readonly folder: string,
    private readonly file: FileHandle,
  ) {}

  static async create(): Promise<ProcessClock> {
    const folder = await mkdtemp(join(tmpdir(), 'docfetch-clock-'));
    const clock = new ProcessClock(folder, await open(join(folder, 'offset'), 'w'));
    await clock.advance(0);
    return clock;
  }

  get path(): string {
    return join(this.folder, 'offset');
  }

  async advance(seconds: number): Promise<void> {
    this.offsetMs += seconds * 1000;
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(this.offsetMs);
    await this.file.write(bytes, 0, 8, 0);
  }

  async remove(): Promise<void> {
    await this.file.close();
    await rm(this.folder, { recursive: true });
  }
}
