/** The integration of a mailbox on any server, which is connected by its address. */
export const ANY_MAILBOX = 'imap';
