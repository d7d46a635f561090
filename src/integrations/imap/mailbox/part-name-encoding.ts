import type { FetchMessageObject, ImapFlow } from 'imapflow';
import libmime from 'libmime';
import { documentParts, nameOf } from '../../shared/mail/parts/parts';

/** What a letter becomes that is no UTF-8. */
const REPLACEMENT_CHARACTER = '\uFFFD';

/**
 * The names of parts that were written in raw Windows-1252, as old programs do: BODYSTRUCTURE arrives as UTF-8 and has
 * lost their letters, so the parts' own headers are read. By section; empty for nearly every mail, then at no cost.
 */
export async function decodePartNames(
  client: ImapFlow,
  mail: FetchMessageObject,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const structure = mail.bodyStructure;
  const broken = structure ? documentParts(structure).filter(({ name }) => name?.includes(REPLACEMENT_CHARACTER)) : [];
  if (!structure || broken.length === 0) return names;
  // The only part of a mail has no header of its own: it is the mail's.
  const single = !structure.type.startsWith('multipart/');
  const bodyParts = broken.map(({ section }) => `${section}.mime`);
  const query = single ? { uid: true, headers: true } : { uid: true, bodyParts };
  const answers = await client.fetchAll(String(mail.uid), query, { uid: true });
  // Flags of any mail may come as answers of their own, unasked (RFC 9051 section 7).
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
