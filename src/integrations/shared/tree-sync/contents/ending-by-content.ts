import mime from 'mime';
import { mimeTypeOf } from '../../../../documents/detection/mime-type';

/** The usual ending of a file by the beginning of its content; undefined when the content has no signature. */
export async function endingByContent(head: Buffer): Promise<string | undefined> {
  const type = await mimeTypeOf(head, '', undefined);
  // Text has no signature.
  if (type === 'text/plain' || type === 'application/octet-stream') return undefined;
  return type.endsWith('+xml') && type !== 'image/svg+xml' ? 'xml' : (mime.getExtension(type) ?? undefined);
}
