import { parentPort } from 'node:worker_threads';
import type { AttachmentChoice } from '../parts/attachment-choice';
import { readMail } from './read-mail';

// Entry point of a worker thread that parses one mail (see signed-mail.ts); an error ends it.
parentPort?.once('message', ({ mail, choice }: { mail: Uint8Array; choice: AttachmentChoice }) => {
  void readMail(mail, choice).then((found) => parentPort?.postMessage(found));
});
