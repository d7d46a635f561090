import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../../../src/platform/config/settings';
import { FakeS3Server } from '../../fakes/s3/fake-s3-server';
import { eventually } from '../../harness/eventually';
import type { SeededRandom } from '../campaigns/seeded-random';

export type DocumentPlace = 'database' | 'bucket';

const SLOWEST_ANSWER_MS = 10;
const PREFIX = 'live/';
/** Workers that are killed while they start leave what they check the bucket with. */
const OF_CONTENT = /^live\/[0-9a-f-]{36}\//;

/** The bucket of the documents, which answers after a delay; or none, when they are in the database. */
export class SlowBucket {
  private pending = 0;

  private constructor(
    readonly place: DocumentPlace,
    private readonly server: FakeS3Server,
    random: SeededRandom,
  ) {
    server.hold = async () => {
      this.pending++;
      await pause(random.next() * SLOWEST_ANSWER_MS);
      this.pending--;
    };
  }

  static async start(place: DocumentPlace, random: SeededRandom): Promise<SlowBucket> {
    return new SlowBucket(place, await FakeS3Server.start(), random);
  }

  /** For a service in this process. */
  get settings(): Partial<Settings> {
    const { keys, bucket } = this.server;
    return this.isUsed
      ? { storage: { ...keys, bucket, endpoint: this.endpoint, addressing: 'path', prefix: PREFIX } }
      : {};
  }

  /** For processes of their own. */
  get variables(): Record<string, string> {
    const { accessKey, secretKey, region } = this.server.keys;
    const query = `endpoint=${this.endpoint}&region=${region}&access_key=${accessKey}&secret_key=${secretKey}`;
    return this.isUsed ? { STORAGE_URL: `s3://${this.server.bucket}/${PREFIX}?${query}` } : {};
  }

  /** Resolves when no request is under way. */
  async waitForSilence(): Promise<void> {
    await eventually(() => Promise.resolve(this.pending === 0), 'the bucket has nothing to do');
  }

  /** Expects the objects of these contents, and no others, and that no upload is open. */
  expectExactly(contents: readonly { uuid: string; chunks: number; tail_from: number | null }[]): void {
    const names = contents.flatMap(({ uuid, chunks, tail_from }) => [
      ...Array.from({ length: tail_from ?? chunks }, (_, index) => `${PREFIX}${uuid}/${index}`),
      ...(tail_from === null ? [] : [`${PREFIX}${uuid}/tail`]),
    ]);
    const ofContents = (keys: Iterable<string>) => [...keys].filter((key) => OF_CONTENT.test(key)).sort();
    expect(ofContents(this.server.objects.keys())).toEqual(this.isUsed ? names.sort() : []);
    expect(ofContents([...this.server.uploads.open.values()].map(({ key }) => key))).toEqual([]);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private get isUsed(): boolean {
    return this.place === 'bucket';
  }

  private get endpoint(): string {
    return `http://localhost:${this.server.port}`;
  }
}
