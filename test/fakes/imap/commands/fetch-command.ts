import { bodyStructure } from '../messages/body-structure';
import type { CommandCursor } from '../protocol/command-cursor';
import type { Command } from './commands';
import { envelope } from '../messages/envelope';
import { fetchItems, type FetchItem, type SectionItem } from './fetch-items';
import { sectionBytes } from './fetch-section';
import type { StoredMessage } from '../mailbox/folder';
import { messagesOf } from '../mailbox/selected-folder';
import type { Session } from '../session';
import { dateTime } from '../protocol/wire-format';

/** FETCH and UID FETCH (RFC 3501 6.4.5); bodies are streamed and may be larger than memory. */
export function fetchCommand(byUid: boolean): Command {
  return {
    states: ['selected'],
    expunges: byUid,
    async run(session, args) {
      args.space();
      const set = args.sequenceSet();
      args.space();
      const asked = fetchItems(args, session.offers('CONDSTORE'));
      const changedSince = args.atEnd() ? undefined : fetchModifier(session, args);
      args.end();
      const items: FetchItem[] = [...asked];
      const has = (kind: FetchItem['kind']) => items.some((item) => item.kind === kind);
      if (byUid && !has('UID')) items.unshift({ kind: 'UID' });
      if (changedSince !== undefined && !has('MODSEQ')) items.push({ kind: 'MODSEQ' });
      if (has('MODSEQ')) session.condstore = true;
      const marksSeen = items.some((item) => item.kind === 'SECTION' && !item.peek) && !session.selected!.readOnly;
      if (marksSeen) session.changes('FETCH');
      for (const { number, message } of messagesOf(session.selected!, set, byUid)) {
        if (changedSince !== undefined && message.modSequence <= changedSince) continue;
        const newlySeen = marksSeen && !message.flags.has('\\Seen');
        if (newlySeen) session.selected!.folder.setFlags(message, [...message.flags, '\\Seen']);
        const all: FetchItem[] = newlySeen && !has('FLAGS') ? [...items, { kind: 'FLAGS' }] : items;
        await sendMessage(session, number, message, all);
      }
    },
  };
}

/** `(CHANGEDSINCE n)` (RFC 7162 3.1.4). */
function fetchModifier(session: Session, args: CommandCursor): number {
  args.space();
  const [modSequence] = args.list(() => {
    if (!session.offers('CONDSTORE') || args.keyword() !== 'CHANGEDSINCE') throw args.bad('CHANGEDSINCE');
    args.space();
    return args.modSequence();
  });
  return modSequence!;
}

const CHUNK = 65_536;

async function sendMessage(session: Session, number: number, message: StoredMessage, items: readonly FetchItem[]) {
  let pending: Buffer[] = [];
  let size = 0;
  const send = async (bytes: Buffer | string) => {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    pending.push(buffer);
    size += buffer.length;
    if (size >= CHUNK) await flush();
  };
  const flush = async () => {
    const bytes = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
    [pending, size] = [[], 0];
    await session.wire.write(bytes);
  };
  await send(`* ${number} FETCH (`);
  for (const [index, item] of items.entries()) {
    if (index > 0) await send(' ');
    if (item.kind !== 'SECTION') await send(`${item.kind} ${simpleItem(session, message, item.kind)}`);
    else await sendSection(message, item, send);
  }
  await send(')\r\n');
  await flush();
}

async function sendSection(message: StoredMessage, item: SectionItem, send: (bytes: Buffer | string) => Promise<void>) {
  const bytes = sectionBytes(message.mime, message.content, item.section);
  if (!bytes) return send(`${item.label} ""`);
  const size = Buffer.isBuffer(bytes) ? bytes.length : bytes.end - bytes.start;
  const from = Math.min(item.partial?.offset ?? 0, size);
  const to = Math.min(from + (item.partial?.count ?? size), size);
  await send(`${item.label} {${to - from}}\r\n`);
  if (Buffer.isBuffer(bytes)) return send(bytes.subarray(from, to));
  for (const chunk of message.content.read(bytes.start + from, bytes.start + to)) await send(chunk);
}

function simpleItem(session: Session, message: StoredMessage, kind: Exclude<FetchItem['kind'], 'SECTION'>): string {
  switch (kind) {
    case 'UID':
      return String(message.uid);
    case 'FLAGS':
      session.selected!.markReported(message);
      return session.selected!.flags(message);
    case 'INTERNALDATE':
      return dateTime(message.received.date, message.received.zoneMinutes);
    case 'RFC822.SIZE':
      return String(message.content.size);
    case 'ENVELOPE':
      return envelope(message.mime.header);
    case 'BODYSTRUCTURE':
      return bodyStructure(message.mime, message.content, true);
    case 'BODY':
      return bodyStructure(message.mime, message.content, false);
    case 'MODSEQ':
      return `(${message.modSequence})`;
  }
}
