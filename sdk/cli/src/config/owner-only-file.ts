import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON file in the configuration folder that only its owner can read. */
export class OwnerOnlyFile<T extends object> {
  constructor(
    readonly folder: string,
    private readonly name: string,
  ) {}

  /** The content; null when there is no such file, or it is not JSON. */
  read(): Partial<T> | null {
    try {
      const value: unknown = JSON.parse(readFileSync(join(this.folder, this.name), 'utf8'));
      return typeof value === 'object' ? value : null;
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Replaces the file at once, so that a command that is stopped leaves no half of it. */
  write(value: T): void {
    // On Windows the folder of the user has the permissions; modes have no effect there.
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const draft = join(this.folder, `.${this.name}.${randomUUID()}`);
    try {
      writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      chmodSync(draft, 0o600);
      renameSync(draft, join(this.folder, this.name));
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }

  /** Returns whether there was a file. */
  remove(): boolean {
    const existed = this.read() !== null;
    rmSync(join(this.folder, this.name), { force: true });
    return existed;
  }
}
