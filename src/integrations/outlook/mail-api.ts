import { Readable } from 'node:stream';
import { refetch } from '../shared/rest/refetch';
import type { GraphClient, GraphPage } from '../shared/microsoft/graph-client';
import type { OutlookFolderRef } from './fields';

/** Ids that are stable when a mail is moved, and pages that need few requests. */
export const PREFER = 'IdType="ImmutableId", odata.maxpagesize=100';

const FOLDER = 'id,displayName,parentFolderId,childFolderCount';
const MESSAGE = 'id,internetMessageId,subject,from,receivedDateTime,sentDateTime,hasAttachments';
/** Without the content, which is included by default. */
const ATTACHMENT = 'id,name,contentType,size,isInline';
/** The Content-ID, which only file attachments have. */
const CONTENT_ID = 'microsoft.graph.fileAttachment/contentId';

export interface MailFolder {
  readonly id: string;
  readonly displayName?: string | null;
  readonly parentFolderId?: string | null;
  readonly childFolderCount?: number | null;
}

/** The requested fields of a mail. */
export interface Message {
  readonly id: string;
  /** The mail was removed from the folder; no other field is set. */
  readonly '@removed'?: object;
  readonly internetMessageId?: string | null;
  readonly subject?: string | null;
  readonly from?: {
    readonly emailAddress?: { readonly name?: string | null; readonly address?: string | null };
  } | null;
  readonly receivedDateTime?: string | null;
  readonly sentDateTime?: string | null;
  /** False when it has only inline images. */
  readonly hasAttachments?: boolean | null;
}

export interface Attachment {
  readonly '@odata.type'?: string;
  readonly id: string;
  readonly name?: string | null;
  readonly contentType?: string | null;
  /** The approximate size in bytes. */
  readonly size?: number;
  readonly isInline?: boolean;
  /** Requested by `images` only. */
  readonly contentId?: string | null;
}

/** The used part of Graph's mail API. */
export class MailApi {
  constructor(private readonly graph: GraphClient) {}

  /** @throws SelectionNotFound when the account has no mailbox */
  async inbox(): Promise<MailFolder> {
    return this.graph.get('/v1.0/me/mailFolders/inbox', { $select: FOLDER });
  }

  /** A folder; null when it does not exist. */
  folder(place: OutlookFolderRef): Promise<MailFolder | null> {
    return this.graph.lookUp(folderPath(place), { $select: FOLDER });
  }

  /** The folders in a folder, or the top-level folders of a mailbox. */
  folders(mailbox: string | null, parent?: string): Promise<MailFolder[]> {
    const above = `${mailboxPath(mailbox)}/mailFolders`;
    return this.all(parent === undefined ? above : `${above}/${encodeURIComponent(parent)}/childFolders`, FOLDER);
  }

  /**
   * The link to the beginning of a folder's change list, which starts with all current mails. Without a date filter, with which
   * Graph silently stops after 5,000 mails ("Get incremental changes to messages in a folder").
   */
  everything = (place: OutlookFolderRef): string => `${folderPath(place)}/messages/delta?$select=${MESSAGE}`;

  /** @throws CursorInvalid when the link has expired */
  changes(link: string): Promise<GraphPage<Message>> {
    return this.graph.delta(link);
  }

  attachments(mailbox: string | null, message: string): Promise<Attachment[]> {
    return this.all(`${messagePath(mailbox, message)}/attachments`, ATTACHMENT);
  }

  /** A mail's text, which Graph converts to HTML. @throws DocumentUnavailable */
  async text(mailbox: string | null, message: string): Promise<{ kind: 'html' | 'text'; text: string }> {
    const { body } = await this.graph.getForDocument<{
      body?: { contentType?: string; content?: string | null } | null;
    }>(messagePath(mailbox, message), { $select: 'body' });
    return { kind: body?.contentType?.toLowerCase() === 'text' ? 'text' : 'html', text: body?.content ?? '' };
  }

  /** The attachments of a mail with their Content-IDs, to find images in the text. */
  images(mailbox: string | null, message: string): Promise<Attachment[]> {
    return this.all(`${messagePath(mailbox, message)}/attachments`, `${ATTACHMENT},${CONTENT_ID}`);
  }

  /** The content of an attachment, which never changes. Graph does not support ranges for it. @throws DocumentUnavailable */
  async content(mailbox: string | null, message: string, attachment: string) {
    const path = `${messagePath(mailbox, message)}/attachments/${encodeURIComponent(attachment)}/$value`;
    const open = () => this.graph.content(path, { givesRest: false });
    const { stream, size } = await open();
    const bytes = refetch(async () => (await open()).stream, stream);
    return { stream: Readable.from(bytes, { objectMode: false }), size };
  }

  private async all<T>(path: string, $select: string): Promise<T[]> {
    const all: T[] = [];
    for await (const page of this.graph.list<T>(path, { $select })) all.push(...page);
    return all;
  }
}

const mailboxPath = (mailbox: string | null): string =>
  mailbox === null ? '/v1.0/me' : `/v1.0/users/${encodeURIComponent(mailbox)}`;
const folderPath = ({ mailbox, id }: OutlookFolderRef): string =>
  `${mailboxPath(mailbox)}/mailFolders/${encodeURIComponent(id)}`;
const messagePath = (mailbox: string | null, id: string): string =>
  `${mailboxPath(mailbox)}/messages/${encodeURIComponent(id)}`;
