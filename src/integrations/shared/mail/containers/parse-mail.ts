import type { AttachmentChoice } from '../parts/kinds/attachment-choice';
import type { MailContents } from './collect-attachments';
import { readMsg } from './outlook/msg';
import { readOutlook } from './outlook/read-outlook';
import { readTnef } from './outlook/tnef';
import { readMail } from './read-mail';

/** Internet mail (RFC 5322), or one of Outlook's formats. */
export type MailFormat = 'mail' | 'msg' | 'tnef';

export interface MailToParse {
  readonly format: MailFormat;
  readonly bytes: Uint8Array;
  readonly choice: AttachmentChoice;
}

/** Parses a whole mail. Rejects when it is broken or nested too deeply. */
export async function parseMail({ format, bytes, choice }: MailToParse): Promise<MailContents> {
  if (format === 'mail') return readMail(bytes, choice);
  return readOutlook(format === 'msg' ? readMsg(bytes) : readTnef(bytes), choice);
}
