import { SelectionNotFound, Transient } from '../../core/source-errors';
import { classify } from '../connection/imap-errors';

/** The server is available, but currently does not open or search this folder. */
export class FolderRejected extends Transient {}

/** The server rejected a FETCH of mails or disconnected during it, perhaps because of a single mail. */
export class FetchRejected extends FolderRejected {}

/** Awaits the response to FETCH in an open folder. @throws FetchRejected, RateLimited */
export async function awaitFetch<T>(folder: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const failure = classify(error, `IMAP folder ${folder}`);
    // Opening the folder shows whether it still exists.
    const isRejection = failure instanceof Transient || failure instanceof SelectionNotFound;
    throw isRejection ? new FetchRejected(failure.message) : failure;
  }
}
