import type { Readable } from 'node:stream';
import { RestClient } from '../shared/rest/rest-client';
import type { GmailSession } from './fields';
import { classify, classifyDocument, classifyHistory, classifyMessage, classifyPage } from './gmail-errors';

/** A label, Gmail's equivalent of folders; names of nested labels contain slashes. */
export interface Label {
  readonly id: string;
  readonly name: string;
  readonly type?: string;
}

/** A part of a mail, parsed by Gmail, with a decoded name. */
export interface MessagePart {
  /** Empty for the whole mail. */
  readonly partId?: string;
  readonly mimeType?: string;
  readonly filename?: string;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  /** `attachmentId` differs between responses; without one the content is in `data`. `size` is the decoded size in bytes. */
  readonly body?: { readonly attachmentId?: string; readonly size?: number; readonly data?: string };
  /** The parts of a multipart, or the body of a nested mail. */
  readonly parts?: readonly MessagePart[];
}

export interface Message {
  readonly id: string;
  readonly labelIds?: readonly string[];
  /** When Google received it, in milliseconds since 1970. */
  readonly internalDate?: string;
  readonly payload?: MessagePart;
}

interface ChangedMessage {
  readonly message: Pick<Message, 'id'>;
  readonly labelIds?: readonly string[];
}

/** A change of the mailbox. */
export interface History {
  readonly id: string;
  readonly messagesAdded?: readonly ChangedMessage[];
  readonly labelsAdded?: readonly ChangedMessage[];
  readonly labelsRemoved?: readonly ChangedMessage[];
}

interface HistoryPage {
  readonly history?: readonly History[];
  readonly nextPageToken?: string;
  readonly historyId: string;
}

const ME = '/gmail/v1/users/me';
/** Ids and changes per page; the maximum of the API is 500. */
const PAGE = 100;
const CHANGES = 500;
/** Below this depth the whole tree of a part is requested, including texts. */
const DEPTH = 6;

/** The fields of a part without its content. */
const partFields = (depth: number): string =>
  `partId,mimeType,filename,headers,body(attachmentId,size),${depth === 0 ? 'parts' : `parts(${partFields(depth - 1)})`}`;
const MESSAGE_FIELDS = `id,labelIds,internalDate,payload(${partFields(DEPTH)})`;

/** The used part of the Gmail API (v1). */
export class GmailApi {
  private readonly client: RestClient;
  private readonly pages: RestClient;
  private readonly changes: RestClient;
  private readonly mails: RestClient;
  private readonly documents: RestClient;

  constructor(session: Pick<GmailSession, 'network' | 'signal' | 'apiBaseUrl' | 'accessToken'>) {
    this.client = new RestClient(session, { provider: 'Gmail', classify });
    this.pages = new RestClient(session, { provider: 'Gmail', classify: classifyPage });
    this.changes = new RestClient(session, { provider: 'Gmail', classify: classifyHistory });
    this.mails = new RestClient(session, { provider: 'Gmail', classify: classifyMessage });
    this.documents = new RestClient(session, { provider: 'Gmail', classify: classifyDocument });
  }

  /** The mailbox's address and the current end of its history. */
  profile(): Promise<{ emailAddress: string; historyId: string }> {
    return this.client.json(`${ME}/profile`, { fields: 'emailAddress,historyId' });
  }

  /** All labels, including system labels. */
  async labels(): Promise<readonly Label[]> {
    const { labels } = await this.client.json<{ labels?: Label[] }>(`${ME}/labels`, { fields: 'labels(id,name,type)' });
    return labels ?? [];
  }

  /**
   * The ids of the mails with a label, or of all (undefined), newest first; never of spam and trash.
   * @throws CursorInvalid when the page is no longer known
   */
  async messages(
    labelId: string | undefined,
    since: Date | null,
    pageToken: string | undefined,
  ): Promise<{ ids: readonly string[]; nextPageToken?: string }> {
    const client = pageToken === undefined ? this.client : this.pages;
    const page = await client.json<{ messages?: Message[]; nextPageToken?: string }>(`${ME}/messages`, {
      labelIds: labelId,
      // In seconds; minus one, because it is undocumented whether the bound is inclusive. Older mails are filtered later.
      q: since === null ? undefined : `after:${Math.floor(since.getTime() / 1000) - 1}`,
      maxResults: PAGE,
      pageToken,
      fields: 'messages(id),nextPageToken',
    });
    const { messages, nextPageToken } = page;
    return { ids: (messages ?? []).map(({ id }) => id), ...(nextPageToken && { nextPageToken }) };
  }

  /** A mail without its texts. @throws DocumentUnavailable when it was deleted */
  message(id: string): Promise<Message> {
    return this.mails.json(`${ME}/messages/${encodeURIComponent(id)}`, { format: 'full', fields: MESSAGE_FIELDS });
  }

  /** A mail with its texts. @throws DocumentUnavailable when it was deleted */
  wholeMessage(id: string): Promise<Message> {
    return this.mails.json(`${ME}/messages/${encodeURIComponent(id)}`, { format: 'full', fields: 'id,payload' });
  }

  /** The changes since a history id, oldest first. @throws CursorInvalid when it is too old */
  history(startHistoryId: string, pageToken: string | undefined): Promise<HistoryPage> {
    const changed = 'message(id),labelIds';
    return this.changes.json(`${ME}/history`, {
      startHistoryId,
      historyTypes: ['messageAdded', 'labelAdded', 'labelRemoved'],
      maxResults: CHANGES,
      pageToken,
      fields: `history(id,messagesAdded(message(id)),labelsAdded(${changed}),labelsRemoved(${changed})),nextPageToken,historyId`,
    });
  }

  /** JSON with the content of an attachment in `data`. @throws DocumentUnavailable when there is none with this id */
  async attachment(messageId: string, id: string): Promise<Readable> {
    const path = `${ME}/messages/${encodeURIComponent(messageId)}/attachments/${encodeURIComponent(id)}`;
    return (await this.documents.bytes(path, { fields: 'data' }, { givesRest: false })).stream;
  }
}
