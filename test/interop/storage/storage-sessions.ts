import type { Integration } from '../../../src/integrations/core/integration';
import { type OpenSession, openSession } from '../../../src/integrations/core/session/open-session';
import type { DocumentRef } from '../../../src/integrations/core/source-document';
import { validateFields } from '../../../src/integrations/core/validate-fields';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';

export interface StorageInput {
  readonly step2?: Readonly<Record<string, unknown>>;
  /** Dedupe keys that count as recorded. */
  readonly known?: readonly string[];
  readonly through?: GuardedNetwork;
  readonly signal?: AbortSignal;
  /** The offset of our clock. Files whose dates the server sets are very recent, and would need a stability check. */
  readonly aheadMs?: number;
}

/** Sessions of one connector, closed together. */
export class StorageSessions {
  readonly network = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });
  private readonly opened: OpenSession[] = [];

  constructor(private readonly integration: Integration) {}

  open(
    fields: Readonly<Record<string, unknown>>,
    {
      step2 = {},
      known = [],
      through = this.network,
      signal = new AbortController().signal,
      aheadMs = 0,
    }: StorageInput = {},
  ): OpenSession {
    const { values, invalidFields } = validateFields(this.integration.step1, fields);
    expect(invalidFields).toEqual([]);
    const recorded = new Set(known);
    const session = openSession({
      fields: values,
      step2,
      network: through,
      signal,
      now: () => new Date(Date.now() + aheadMs),
      findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => recorded.has(key)))),
    });
    this.opened.push(session);
    return session;
  }

  async close(): Promise<void> {
    for (const each of this.opened.splice(0)) await each.close();
    await this.network.close();
  }
}

export const keysOf = (documents: readonly DocumentRef[]): string[] => documents.map(({ dedupeKey }) => dedupeKey);

/** Names that protocols and servers often handle incorrectly. */
export const NAMES: readonly string[] = [
  'a.pdf',
  'Büro & Co/Ü 1.pdf',
  'tief/er/noch/b.pdf',
  '#1 100% [x]+y=z?.pdf',
  '%2e%2e %41.pdf',
  '\'; "$(x)`<>.pdf',
  '🧾.pdf',
  `${'lang'.repeat(60)}.pdf`,
  'Bu\u0308ro.pdf',
  'B\u00fcro.pdf',
  'mit  zwei   Leerzeichen.pdf',
];
