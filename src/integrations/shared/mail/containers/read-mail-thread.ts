import { parentPort } from 'node:worker_threads';
import { readMail } from './read-mail';

// Entry point of a worker thread that parses one mail (see signed-mail.ts); an error ends it.
parentPort?.once('message', (mail: Uint8Array) => {
  void readMail(mail).then((found) => parentPort?.postMessage(found));
});
