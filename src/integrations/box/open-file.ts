import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentRef, SourceDocument } from '../core/source-document';
import { verifyChecksum } from '../shared/tree-sync/files/verify-checksum';
import { BoxApi } from './box-api';
import { parseFileRef } from './box-selection';
import { NotReady } from './box-errors';
import type { BoxSession } from './fields';

/** So often a file is asked for that Box is not ready to give out, */
const TRIES = 3;
/** and for so long it is waited for at once; else the next fetch tries again. */
const MOST_SECONDS = 10;

/** The bytes of a file. Throws `DocumentUnavailable` when they are not those that were listed, or not there yet. */
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
  for (let tries = TRIES; ; tries--) {
    try {
      return await api.content(id);
    } catch (error) {
      const isWorthIt = error instanceof NotReady && error.retryAfterSeconds <= MOST_SECONDS && tries > 1;
      if (!isWorthIt) throw error;
      await pause(error.retryAfterSeconds * 1000, undefined, { signal });
    }
  }
}
