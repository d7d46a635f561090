import { SelectionNotFound, Transient } from '../../core/source-errors';
import { classify } from './imap-errors';

/** The server is there, but answers that this folder cannot be opened or searched for now. */
export class FolderRefused extends Transient {}

/** The server was there, but refused to read mails or broke off meanwhile: perhaps because of one of them. */
export class FetchRefused extends FolderRefused {}

/** Waits for the answer to FETCH in an open folder. @throws FetchRefused, RateLimited */
export async function awaitFetch<T>(folder: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const failure = classify(error, `IMAP folder ${folder}`);
    // Whether the folder itself is gone shows when it is opened.
    const isRefusal = failure instanceof Transient || failure instanceof SelectionNotFound;
    throw isRefusal ? new FetchRefused(failure.message) : failure;
  }
}
