import { Readable } from 'node:stream';
import { refetch } from '../shared/rest/refetch';
import type { GraphClient, GraphPage } from '../shared/microsoft/graph-client';
import type { OutlookFolderRef } from './fields';

/** Ids that stay when a mail is moved, and pages that a handful of requests deals with. */
export const PREFER = 'IdType="ImmutableId", odata.maxpagesize=100';

const FOLDER = 'id,displayName,parentFolderId,childFolderCount';
const MESSAGE = 'id,internetMessageId,subject,from,receivedDateTime,sentDateTime,hasAttachments';
/** Without the bytes, which would come along. */
const ATTACHMENT = 'id,name,contentType,size,isInline';
/** What links to the attachment from the text, which only files have. */
const CONTENT_ID = 'microsoft.graph.fileAttachment/contentId';

export interface MailFolder {
  readonly id: string;
  readonly displayName?: string | null;
  readonly parentFolderId?: string | null;
  readonly childFolderCount?: number | null;
}

/** A mail, as far as it is asked for. */
export interface Message {
  readonly id: string;
  /** It has left the folder: nothing else is told of it. */
  readonly '@removed'?: object;
  readonly internetMessageId?: string | null;
  readonly subject?: string | null;
  readonly from?: {
    readonly emailAddress?: { readonly name?: string | null; readonly address?: string | null };
  } | null;
  readonly receivedDateTime?: string | null;
  readonly sentDateTime?: string | null;
  /** False when all there is are pictures in the text. */
  readonly hasAttachments?: boolean | null;
}

export interface Attachment {
  readonly '@odata.type'?: string;
  readonly id: string;
  readonly name?: string | null;
  readonly contentType?: string | null;
  /** Bytes, more or less. */
  readonly size?: number;
  readonly isInline?: boolean;
  /** With `images` only. */
  readonly contentId?: string | null;
}

/** What of Graph's mail is used. */
export class MailApi {
  constructor(private readonly graph: GraphClient) {}

  /** @throws SelectionNotFound when the account has no mailbox */
  async inbox(): Promise<MailFolder> {
    return this.graph.get('/v1.0/me/mailFolders/inbox', { $select: FOLDER });
  }

  /** A folder; null when there is none, or none any more. */
  folder(place: OutlookFolderRef): Promise<MailFolder | null> {
    return this.graph.lookUp(folderPath(place), { $select: FOLDER });
  }

  /** The folders in another one, or those at the top of a mailbox. */
  folders(mailbox: string | null, parent?: string): Promise<MailFolder[]> {
    const above = `${mailboxPath(mailbox)}/mailFolders`;
    return this.all(parent === undefined ? above : `${above}/${encodeURIComponent(parent)}/childFolders`, FOLDER);
  }

  /**
   * The beginning of a folder's list of changes: all that is in it now comes first. Not from a date on: with such a filter
   * Graph stops after 5,000 mails without saying so ("Get incremental changes to messages in a folder").
   */
  everything = (place: OutlookFolderRef): string => `${folderPath(place)}/messages/delta?$select=${MESSAGE}`;

  /** @throws CursorInvalid when the link is no longer known */
  changes(link: string): Promise<GraphPage<Message>> {
    return this.graph.delta(link);
  }

  attachments(mailbox: string | null, message: string): Promise<Attachment[]> {
    return this.all(`${messagePath(mailbox, message)}/attachments`, ATTACHMENT);
  }

  /** A mail's own text, which Graph makes HTML of. @throws DocumentUnavailable */
  async text(mailbox: string | null, message: string): Promise<{ kind: 'html' | 'text'; text: string }> {
    const { body } = await this.graph.getForDocument<{
      body?: { contentType?: string; content?: string | null } | null;
    }>(messagePath(mailbox, message), { $select: 'body' });
    return { kind: body?.contentType?.toLowerCase() === 'text' ? 'text' : 'html', text: body?.content ?? '' };
  }

  /** What of a mail's attachments its text may show. */
  images(mailbox: string | null, message: string): Promise<Attachment[]> {
    return this.all(`${messagePath(mailbox, message)}/attachments`, `${ATTACHMENT},${CONTENT_ID}`);
  }

  /** The bytes of an attachment, which never change. Graph gives them from the beginning only. @throws DocumentUnavailable */
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
