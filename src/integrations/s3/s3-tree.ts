import type { Tree, TreeFile } from '../shared/tree-sync/files/tree';
import { listObjects } from './list-objects';
import type { S3Client } from './s3-client';

/** The whole bucket. */
export const START_FOLDER = '.';

/** The objects of a bucket. Folders are key prefixes: everything below one is listed recursively, a thousand objects per request. */
export class S3Tree implements Tree {
  constructor(readonly client: S3Client) {}

  async *list(folder: string): AsyncGenerator<readonly TreeFile[]> {
    for await (const { files } of listObjects(this.client, { prefix: prefixOf(folder) })) yield files;
  }

  async stat({ path }: TreeFile): Promise<TreeFile | null> {
    // Keys are sorted: the exact key comes first.
    for await (const { files } of listObjects(this.client, { prefix: path, pageSize: 1 })) {
      return files.find((file) => file.path === path) ?? null;
    }
    return null;
  }
}

/** A folder without a trailing slash: a prefix means the same with and without it. */
export const withoutSlash = (folder: string): string => folder.replace(/(?<=[^/])\/$/, '');

/** The key prefix of a folder. */
export function prefixOf(folder: string): string {
  return folder === START_FOLDER ? '' : `${withoutSlash(folder)}/`;
}
