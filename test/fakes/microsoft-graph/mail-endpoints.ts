import { type GraphRequest, changed, type GraphAnswer, listed, refused, selected } from './answers';
import type { FakeAttachment, FakeFolder, FakeMail, MailState } from './mail-state';

const FOLDER = 'graph.mailFolder';
const MESSAGE = 'graph.message';

/** The used methods of Graph's mail. `path` is relative to the mailbox. */
export function mailAnswer(state: MailState, path: string, asked: GraphRequest): GraphAnswer {
  if (path === '/mailFolders') return foldersIn(state, state.top, asked);
  const [, folderId, folderTail] = /^\/mailFolders\/([^/]+)(\/childFolders|\/messages\/delta)?$/.exec(path) ?? [];
  if (folderId !== undefined) {
    const id = decodeURIComponent(folderId);
    if (!isId(id) && !['inbox', 'msgfolderroot'].includes(id)) return refused(400, 'ErrorInvalidIdMalformed');
    const folder = id === 'inbox' ? state.inbox : id === 'msgfolderroot' ? state.top : state.folders.get(id);
    if (!folder) return refused(404, 'ErrorItemNotFound');
    if (folderTail === '/childFolders') return foldersIn(state, folder, asked);
    if (folderTail !== undefined) return deltaAnswer(state, folder, asked);
    const json = selected(folderResource(state, folder), asked.url.searchParams.get('$select'));
    return { status: 200, type: FOLDER, json };
  }
  const [, mailId, attachments, attachmentId] =
    /^\/messages\/([^/]+)(\/attachments(?:\/([^/]+)\/\$value)?)?$/.exec(path) ?? [];
  const mail = [...state.mails.values()].find((each) => idOf(each, asked) === decodeURIComponent(mailId ?? ''));
  if (!mail) return refused(404, 'ErrorItemNotFound');
  if (attachments === undefined) {
    const json = selected({ ...messageResource(mail, asked), body: mail.body }, asked.url.searchParams.get('$select'));
    return { status: 200, type: MESSAGE, json };
  }
  if (attachmentId === undefined)
    return listed(asked, 'graph.attachment', mail.attachments.map(attachmentResource(mail)));
  const found = mail.attachments.find((_, n) => attachmentIdOf(mail, n) === decodeURIComponent(attachmentId));
  if (!found) return refused(404, 'ErrorItemNotFound');
  return { status: 200, bytes: found.content, mimeType: found.contentType ?? 'application/octet-stream' };
}

const isId = (id: string): boolean => /^[\w-]+=*$/.test(id) && id.startsWith('AQMk');

/** Ids other than the immutable ones change when a mail is moved. */
const idOf = ({ id, folder }: FakeMail, { prefer }: GraphRequest): string =>
  prefer.includes('IdType="ImmutableId"') ? id : `${id}${folder}`;

const attachmentIdOf = ({ id }: FakeMail, n: number): string => `${id.replaceAll('=', '')}att${n}=`;

function foldersIn(state: MailState, parent: FakeFolder, asked: GraphRequest): GraphAnswer {
  const children = [...state.folders.values()].filter((folder) => folder.parent === parent.id);
  return listed(
    asked,
    FOLDER,
    children.map((folder) => folderResource(state, folder)),
  );
}

function folderResource(state: MailState, { id, displayName, parent }: FakeFolder): Record<string, unknown> {
  const childFolderCount = [...state.folders.values()].filter((folder) => folder.parent === id).length;
  return { id, displayName, parentFolderId: parent ?? 'AQMkRoot=', childFolderCount, isHidden: false };
}

function deltaAnswer(state: MailState, folder: FakeFolder, asked: GraphRequest): GraphAnswer {
  const query = asked.url.searchParams;
  const token = query.get('$deltatoken') ?? query.get('$skiptoken');
  const size = Math.min(asked.page, Number(/odata\.maxpagesize=(\d+)/.exec(asked.prefer)?.[1] ?? 10));
  const part = state.delta(folder.id, token, query.get('$select'), size);
  if (!part) return refused(410, 'SyncStateNotFound');
  const value = part.ids.map((id) => {
    const mail = state.mails.get(id);
    if (!mail) return { id, '@removed': { reason: 'deleted' } };
    if (mail.folder !== folder.id) return { id: idOf(mail, asked), '@removed': { reason: 'changed' } };
    return selected(messageResource(mail, asked), part.select);
  });
  return changed(asked, MESSAGE, { ...part, value }, { next: '$skiptoken', delta: '$deltatoken' });
}

function messageResource(mail: FakeMail, asked: GraphRequest): Record<string, unknown> {
  const { internetMessageId, subject, from, receivedDateTime, sentDateTime, isRead, folder } = mail;
  return {
    '@odata.etag': 'W/"CQAAABYAAAA"',
    id: idOf(mail, asked),
    internetMessageId,
    subject,
    from: { emailAddress: from },
    receivedDateTime,
    sentDateTime,
    isRead,
    parentFolderId: folder,
    hasAttachments: mail.attachments.some(({ isInline }) => !isInline),
    bodyPreview: 'Sehr geehrte Damen und Herren',
  };
}

const attachmentResource =
  (mail: FakeMail) =>
  ({ type, name, contentType, content, isInline }: FakeAttachment, n: number): Record<string, unknown> => ({
    '@odata.type': `#microsoft.graph.${type}Attachment`,
    id: attachmentIdOf(mail, n),
    name,
    contentType,
    size: content.length,
    isInline,
    lastModifiedDateTime: mail.receivedDateTime,
    ...(type === 'file' && { contentBytes: content.toString('base64'), contentId: `${n}@supplier.example` }),
  });
