import { ConfigurationGone, Temporary } from '../source-errors';
import { classify } from './imap-errors';

/** The server was there, but refused to read mails or broke off meanwhile: perhaps because of one of them. */
export class FetchRefused extends Temporary {}

/** Waits for the answer to FETCH in an open folder. @throws FetchRefused, RateLimited */
export async function answered<T>(folder: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const failure = classify(error, `IMAP folder ${folder}`);
    // Whether the folder itself is gone shows when it is opened.
    const isRefusal = failure instanceof Temporary || failure instanceof ConfigurationGone;
    throw isRefusal ? new FetchRefused(failure.message) : failure;
  }
}
