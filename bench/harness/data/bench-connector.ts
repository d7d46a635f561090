import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { Readable } from 'node:stream';
import { INTEGRATIONS } from '../../../src/integrations/integration-registry';
import type { FieldSpec } from '../../../src/integrations/core/field';
import { defineIntegration, type Integration } from '../../../src/integrations/core/integration';
import { documentBytes, MAX_BYTES } from './bench-document';

// Loaded into the service before anything else (`--require`): an additional connector with minimal cost.

const PAGE = 100;
const BLOCK = randomBytes(MAX_BYTES);
/** A folder whose files are the documents, instead of random bytes. */
const FOLDER = env['BENCH_CONTENT'];
const FILES = FOLDER === undefined ? [] : readdirSync(FOLDER).map((name) => join(FOLDER, name));

const STEP1 = [
  {
    id: 'documents',
    type: 'number',
    label: { en: 'Documents', de: 'Dokumente' },
    required: true,
    min: 0,
    max: 1_000_000,
  },
  {
    id: 'bytes',
    type: 'number',
    label: { en: 'Bytes a document', de: 'Bytes je Dokument' },
    required: true,
    min: 100,
    max: MAX_BYTES,
  },
] as const satisfies readonly FieldSpec[];

/** The time of the call of `list`, in milliseconds since 1970. */
let listCalls: number[] = [];

const bench = defineIntegration({
  id: 'bench',
  name: { en: 'Bench', de: 'Bench' },
  category: 'PORTAL',
  authType: 'CREDENTIALS',
  documentTypes: ['invoice'],
  providesExternalId: true,
  testOnly: true,
  step1: STEP1,
  worksWithoutStep2: true,
  rateLimits: { concurrency: 4, requestsPerSecond: 1_000_000 },

  check: () => Promise.resolve({ id: 'bench', display: 'bench' }),

  async *list({ fields }, cursor: number | null) {
    listCalls.push(performance.timeOrigin + performance.now());
    let listed = cursor ?? 0;
    do {
      const until = Math.min(listed + PAGE, fields.documents);
      const documents = Array.from({ length: until - listed }, (_, at) => ({
        dedupeKey: `document ${listed + at}`,
        externalId: String(listed + at),
        filename: `invoice-${listed + at}.pdf`,
        documentType: 'invoice' as const,
        metadata: { number: String(listed + at), date: '2026-01-31', amount: '119.00', currency: 'EUR' },
        locator: listed + at,
      }));
      yield await Promise.resolve({ documents, cursor: until });
      listed = until;
    } while (listed < fields.documents);
  },

  async download({ fields }, { locator, filename }) {
    const file = FILES[locator as number];
    const chunks = file ? [await readFile(file)] : documentBytes(BLOCK, locator as number, fields.bytes);
    return { stream: Readable.from(chunks), filename, mimeType: 'application/pdf' };
  },
});

(INTEGRATIONS as Integration[]).push(bench);

process.on('message', (message: { listCalls?: boolean }) => {
  if (!message.listCalls) return;
  process.send!(listCalls);
  listCalls = [];
});
