import { Swift } from '../../test/interop/s3/swift';
import { Rclone } from './rclone';
import { contentOf, forEach, type BenchSource } from './source';

/** OpenStack Swift with its S3 interface, against rclone. */
export async function openS3(): Promise<BenchSource> {
  const rclone = new Rclone();
  const server = await Swift.start();
  const { name, owner, fields } = await server.bucket();
  return {
    integration: 's3',
    note: 'OpenStack Swift with its S3 interface, in four Python processes, which are what both clients wait for. rclone with 4 transfers does not ask for times of its own (`--use-server-modtime`), which would be another request for each file.',
    port: server.port,
    comparedTools: [
      {
        name: 'rclone copy',
        goal: { near: 1, far: 1 },
        knowsWhatItHas: true,
        fetch: (at, folder) =>
          rclone.copy(
            `:s3:${name}`,
            [
              '--s3-provider=Other',
              `--s3-endpoint=http://127.0.0.1:${at}`,
              `--s3-region=${String(fields['region'])}`,
              `--s3-access-key-id=${String(fields['access_key'])}`,
              `--s3-secret-access-key=${String(fields['secret_key'])}`,
              '--s3-list-version=2',
              // One request for each file instead of two.
              '--use-server-modtime',
            ],
            folder,
          ),
      },
    ],
    fields: (at) => ({ ...fields, endpoint: `http://127.0.0.1:${at}` }),
    fill: (documents, bytes) =>
      forEach(documents, (number) => owner.put(`invoice-${number}.pdf`, contentOf(number, bytes))),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
