import type { FetchMessageObject, ImapFlow } from 'imapflow';
import libmime from 'libmime';
import { nameOf } from '../../shared/mail/parts/mail-node';
import { attachedParts } from '../../shared/mail/parts/parts';

/** The replacement of invalid UTF-8. */
const REPLACEMENT_CHARACTER = '\uFFFD';

/**
 * Decodes names of parts in raw Windows-1252, as old programs write them: BODYSTRUCTURE is decoded as UTF-8 and has lost their
 * characters, so the headers of the parts are fetched. By section; empty, without a request, for nearly every mail.
 */
export async function decodePartNames(
  client: ImapFlow,
  mail: FetchMessageObject,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const structure = mail.bodyStructure;
  const broken = structure
    ? attachedParts(structure, 'all').parts.filter(({ name }) => name?.includes(REPLACEMENT_CHARACTER))
    : [];
  if (!structure || broken.length === 0) return names;
  // The only part of a mail has the header of the mail.
  const single = !structure.type.startsWith('multipart/');
  const bodyParts = broken.map(({ section }) => `${section}.mime`);
  const query = single ? { uid: true, headers: true } : { uid: true, bodyParts };
  const answers = await client.fetchAll(String(mail.uid), query, { uid: true });
  // Servers may send flags of any mail unsolicited (RFC 9051 section 7).
  const answer = answers.find(({ uid, headers, bodyParts: parts }) => uid === mail.uid && (headers ?? parts));
  for (const { section } of broken) {
    const block = single ? answer?.headers : answer?.bodyParts?.get(`${section}.mime`);
    const name = block && nameIn(block);
    if (name) names.set(section, name);
  }
  return names;
}

function nameIn(block: Buffer): string | undefined {
  const headers = libmime.decodeHeaders(new TextDecoder('windows-1252').decode(block));
  const parametersOf = (header: string) => libmime.parseHeaderValue(headers[header]?.[0] ?? '').params;
  return nameOf({
    dispositionParameters: parametersOf('content-disposition'),
    parameters: parametersOf('content-type'),
  });
}
