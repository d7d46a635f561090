import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentRef, SourceDocument } from '../core/source-document';
import { verifyChecksum } from '../shared/tree-sync/files/verify-checksum';
import { BoxApi } from './box-api';
import { parseFileRef } from './box-selection';
import { NotReady } from './box-errors';
import type { BoxSession } from './fields';

/** Attempts to download a file that Box is still preparing. */
const MAX_ATTEMPTS = 3;
/** The maximum wait between two attempts in seconds; otherwise the next fetch retries. */
const MAX_WAIT_SECONDS = 10;

/** The content of a file. Throws `DocumentUnavailable` when it differs from the listed version or is not ready. */
export async function openFile(session: BoxSession, ref: DocumentRef): Promise<SourceDocument> {
  const { id, sha1 } = parseFileRef(ref.locator);
  const { stream, size } = await contentOf(new BoxApi(session), id, session.signal);
  return {
    stream: sha1 === null ? stream : verifyChecksum('Box', stream, createHash('sha1'), sha1.toLowerCase()),
    filename: ref.filename,
    mimeType: 'application/octet-stream',
    ...(size !== undefined && { size }),
  };
}

async function contentOf(api: BoxApi, id: string, signal: AbortSignal) {
  for (let attempts = MAX_ATTEMPTS; ; attempts--) {
    try {
      return await api.content(id);
    } catch (error) {
      const isRetried = error instanceof NotReady && error.retryAfterSeconds <= MAX_WAIT_SECONDS && attempts > 1;
      if (!isRetried) throw error;
      await pause(error.retryAfterSeconds * 1000, undefined, { signal });
    }
  }
}
