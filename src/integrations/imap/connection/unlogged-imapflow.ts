import * as handler from 'imapflow/lib/handler/imap-handler.js';

const { compiler } = handler;
const NOTHING = Promise.resolve(Buffer.alloc(0));

/**
 * Makes imapflow write no text for its log, which it does for each command and response even without a logger: for a listing of
 * mails this takes a third of the time of reading it. Applies to all clients of the process; their errors then do not contain the
 * command (`executedCommand`).
 */
export function disableLogTexts(): void {
  const compile = (...[response, options]: Parameters<typeof compiler>): Promise<Buffer | Buffer[]> =>
    options?.isLogging ? NOTHING : compiler(response, options);
  Object.assign(handler, { compiler: compile });
}
