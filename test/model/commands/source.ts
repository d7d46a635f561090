import fc from 'fast-check';
import type { ModelRun } from '../model-run';
import { type Kind, LISTING, type ModelConnection, OUTAGES } from '../model';
import { setScenario } from './connection';
import { changed, connectionStep } from './step';

const connection = fc.nat(59);

interface Content {
  readonly document_type: string;
  readonly format: string;
  readonly kind: Kind | null;
}

/** What can be put into a portal. */
const CONTENTS: readonly Content[] = [
  { document_type: 'invoice', format: 'PDF', kind: 'invoice' },
  { document_type: 'credit_note', format: 'PDF', kind: 'credit_note' },
  { document_type: 'invoice', format: 'XML', kind: 'e_invoice' },
  { document_type: 'receipt', format: 'PDF', kind: null },
];

export const placeDocuments = fc
  .record({ connection, count: fc.integer({ min: 1, max: 4 }), content: fc.constantFrom(...CONTENTS) })
  .map((given) =>
    connectionStep('place documents', given, (target, modelRun) => place(target, modelRun, given.count, given.content)),
  );

/** The portal has `count` new documents, at most 100. */
export async function place(
  target: ModelConnection,
  modelRun: ModelRun,
  count: number,
  { kind, ...content }: Content = CONTENTS[0]!,
): Promise<void> {
  await modelRun.tenants[target.strategy].client
    .request('post', `/v1/sandbox/connections/${target.uuid}/documents`)
    .send({ count, external_id: true, ...content })
    .expect(202);
  target.place(count, kind);
  changed(target, modelRun);
  modelRun.count('documents', count);
}

/** The same documents again, documents that cannot be read, or a portal that is down; `normal` ends all of that. */
export const changePortal = fc
  .record({
    connection,
    scenario: fc.oneof(fc.constant('normal' as const), fc.constantFrom(...LISTING), fc.constantFrom(...OUTAGES)),
  })
  .map((given) =>
    connectionStep('change the portal', given, (target, modelRun) => setScenario(target, modelRun, given.scenario)),
  );
