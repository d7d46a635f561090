import type { Readable } from 'node:stream';
import type { MailAuthentication } from '../../documents/metadata';

/** A mail that the service has received for a connection. */
export interface ReceivedMail {
  /** Its number within the connection: mails are numbered in the order in which they were accepted, from 1. */
  readonly number: number;
  /** Bytes of the whole message. */
  readonly size: number;
  readonly receivedAt: Date;
  readonly authentication: MailAuthentication;
}

/** The mails that were received for one connection. */
export interface Inbox {
  /** At most `limit` mails with a greater number, in order. */
  mailsAfter(number: number, limit: number): Promise<readonly ReceivedMail[]>;
  /** The message as it was received, or a range of its bytes (`end` inclusive); null when it is no longer kept. */
  read(number: number, range?: { readonly start: number; readonly end: number }): Promise<Readable | null>;
  /** Reports that the documents of all mails up to this number are recorded: their retention begins. */
  markProcessed(number: number): Promise<void>;
}

/** The inbox of a connection that does not exist yet. */
export const EMPTY_INBOX: Inbox = {
  mailsAfter: () => Promise.resolve([]),
  read: () => Promise.resolve(null),
  markProcessed: () => Promise.resolve(),
};
