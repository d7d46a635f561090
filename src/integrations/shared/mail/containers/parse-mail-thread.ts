import { parentPort } from 'node:worker_threads';
import { type MailToParse, parseMail } from './parse-mail';

// Entry point of a worker thread that parses one mail (see mail-contents.ts); an error ends it.
parentPort?.once('message', (mail: MailToParse) => {
  void parseMail(mail).then((found) => parentPort?.postMessage(found));
});
