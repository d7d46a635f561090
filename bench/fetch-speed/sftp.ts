import { utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OpenSsh } from '../../test/interop/sftp/openssh';
import { MODIFIED_AT } from '../../test/interop/storage/modified-at';
import { Rclone } from './rclone';
import { contentOf, forEach, type BenchSource } from './source';

/** OpenSSH, against rclone. */
export async function openSftp(): Promise<BenchSource> {
  const rclone = new Rclone();
  const server = await OpenSsh.start();
  const keyFile = join(dirname(server.root), 'client');
  const place = (port: number) => ['--sftp-host=127.0.0.1', `--sftp-port=${port}`, `--sftp-user=${server.user}`];
  return {
    integration: 'sftp',
    note: 'OpenSSH. rclone with 4 transfers does not compare checksums here: as it comes, it runs a program on the server for each file, which takes it twenty times as long. To receive a document takes the connector 0.25 ms of processor time; to hash, encrypt and store it takes the program 0.75 ms and the database as much again, where rclone takes 1.2 ms to receive it and write a plain file.',
    port: server.port,
    comparedTools: [
      {
        name: 'rclone copy',
        goal: { near: 1, far: 1 },
        knowsWhatItHas: true,
        fetch: (port, folder) => {
          // By default it runs a program on the server for each file to compare checksums, which takes 20 times as long.
          const options = [`--sftp-key-file=${keyFile}`, '--sftp-disable-hashcheck'];
          return rclone.copy(':sftp:', [...place(port), ...options], folder);
        },
      },
    ],
    fields: (port) => ({ ...server.fields, host: '127.0.0.1', port }),
    fill: (documents, bytes) =>
      forEach(documents, async (number) => {
        const file = join(server.root, `invoice-${number}.pdf`);
        await writeFile(file, contentOf(number, bytes));
        await utimes(file, MODIFIED_AT, MODIFIED_AT);
      }),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
