import { configFolder } from '../config/config-folder';
import { OwnerOnlyFile } from '../config/owner-only-file';
import type { Context } from '../context';

export type Feed = 'documents' | 'events';
type Cursors = Partial<Record<Feed, string>>;

/** More than a developer needs; the oldest are dropped. */
const MAX_ENTRIES = 100;

/** Where `listen` has stopped, for each environment and each place that it forwarded to. */
export class CursorFile {
  private readonly file: OwnerOnlyFile<Record<string, Cursors>>;

  constructor(
    context: Context,
    private readonly key: string,
  ) {
    this.file = new OwnerOnlyFile(configFolder(context), 'cursors.json');
  }

  get(feed: Feed): string | undefined {
    return this.file.read()?.[this.key]?.[feed];
  }

  set(feed: Feed, cursor: string): void {
    const { [this.key]: own, ...others } = this.file.read() ?? {};
    if (own?.[feed] === cursor) return;
    const kept = Object.entries(others).filter((each): each is [string, Cursors] => each[1] !== undefined);
    this.file.write(Object.fromEntries([...kept.slice(1 - MAX_ENTRIES), [this.key, { ...own, [feed]: cursor }]]));
  }
}
