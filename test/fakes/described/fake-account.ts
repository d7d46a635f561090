import type { FakeDeclaration, NewEntry } from './declaration';

/** A record of a list with the content of its document. */
export interface Entry extends NewEntry {
  readonly content: Buffer;
}

/** One account of a provider: its credentials and its records, the oldest first. */
export class FakeAccount {
  readonly keys = new Set<string>();
  readonly entries: Entry[] = [];
  private count = 0;

  constructor(
    /** Distinguishes the accounts of a fake: 1, 2, … */
    readonly number: number,
    private readonly declaration: FakeDeclaration,
  ) {}

  /** A new valid key. */
  key(): string {
    const key = this.declaration.key!.create();
    this.keys.add(key);
    return key;
  }

  /** Adds the next document, issued on a day (`YYYY-MM-DD`), with changed members of its record. */
  add(day: string, changes: Readonly<Record<string, unknown>> = {}, content?: Buffer): Entry {
    const { record, ...made } = this.declaration.document(this.count++, day, this);
    return this.put({ ...made, record: { ...record, ...changes } }, content);
  }

  /** Adds a record. */
  put(entry: NewEntry, content: Buffer = Buffer.from(`%PDF-1.7 ${entry.id} of ${this.number}`)): Entry {
    const added = { ...entry, content };
    this.entries.push(added);
    return added;
  }

  remove(entry: Entry): void {
    this.entries.splice(this.entries.indexOf(entry), 1);
  }

  of(list: string): readonly Entry[] {
    return this.entries.filter((entry) => entry.list === list);
  }

  find(list: string, id: string | undefined): Entry | undefined {
    return this.entries.find((entry) => entry.list === list && entry.id === id);
  }
}
