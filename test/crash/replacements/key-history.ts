import type { TestEngine } from '../../harness/engine/test-engine';

/** A former key is kept at least for this long (ADR 32). */
export const KEPT_SECONDS = 25 * 3600;

/** `owner version`. */
type KeyName = string;

interface OwnerVersion {
  readonly owner_uuid: string;
  readonly version: number;
}

/** Of each owner the newest version that exists, whatever it is used for. */
const NEWEST = `select owner_uuid, max(version) as version from (
  select owner_uuid, version from data_key union all select owner_uuid, version from data_key_version) v group by 1`;
/** What is due or ends by itself, and when it began. */
const AGING: readonly (readonly [table: string, columns: readonly string[], condition: string])[] = [
  ['data_key_version', ['due_at', 'created_at', 'replaced_at'], 'true'],
  ['content', ['reencrypting_until'], 'reencrypting_until is not null'],
  ['content', ['created_at'], 'attached_at is null'],
  ['object_deletion_queue', ['due_at'], 'true'],
];

const byOwner = (versions: readonly OwnerVersion[]) =>
  new Map(versions.map(({ owner_uuid, version }) => [owner_uuid, version]));

/** The data keys of a service, for which time passes only when the test says so. */
export class KeyHistory {
  /** Former versions that were destroyed. */
  readonly destroyed = new Set<KeyName>();
  /** Seconds since the replacement of each former version, when time has passed for the last time. */
  private ages = new Map<KeyName, number>();
  private newest = new Map<string, number>();
  private passedAt = performance.now();

  constructor(private readonly engine: TestEngine) {}

  /** As if so many seconds had passed for the keys, and for contents without a record. No other process may run. */
  async passTime(seconds: number): Promise<void> {
    for (const [table, columns, condition] of AGING) {
      const earlier = columns.map((column) => `${column} = ${column} - make_interval(secs => $1)`);
      await this.engine.rows(`update ${table} set ${earlier.join(', ')} where ${condition}`, seconds);
    }
    const former = await this.engine.rows<{ name: KeyName; age: string }>(
      `select owner_uuid || ' ' || version as name, extract(epoch from now() - replaced_at) as age
       from data_key_version where replaced_at is not null`,
    );
    this.ages = new Map(former.map(({ name, age }) => [name, Number(age)]));
    this.passedAt = performance.now();
    this.newest = byOwner(await this.engine.rows<OwnerVersion>(NEWEST));
  }

  /** What was destroyed since time has passed: each former version once, and none too early. */
  async expectDestroyedInTime(): Promise<void> {
    const elapsed = (performance.now() - this.passedAt) / 1000;
    const entries = await this.engine.rows<{ name: KeyName }>(
      `select subject_uuid || ' ' || (details->>'version') as name from audit_log where action = 'encryption.destroy-data-key'`,
    );
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
    const early = entries
      .filter(({ name }) => !this.destroyed.has(name) && (this.ages.get(name) ?? 0) + elapsed < KEPT_SECONDS)
      .map(({ name }) => ({ name, age: this.ages.get(name) }));
    expect(early).toEqual([]);
    for (const { name } of entries) this.destroyed.add(name);
  }

  /** Every owner has its newest version, which is not its first one, and all others are destroyed. */
  async expectOnlyNewest(owners: number): Promise<void> {
    expect(await this.engine.rows('select * from data_key_version')).toEqual([]);
    const current = await this.engine.rows<OwnerVersion>('select owner_uuid, version from data_key');
    expect(current).toHaveLength(owners);
    expect(byOwner(current)).toEqual(this.newest);
    expect(current.filter(({ version }) => version === 1)).toEqual([]);
    const former = current.flatMap(({ owner_uuid, version }) =>
      Array.from({ length: version - 1 }, (_, n) => `${owner_uuid} ${n + 1}`),
    );
    expect([...this.destroyed].sort()).toEqual(former.sort());
  }
}
