import type { Readable } from 'node:stream';
import { RestClient } from '../shared/rest/rest-client';
import type { GmailSession } from './fields';
import { classify, classifyDocument, classifyHistory, classifyMessage, classifyPage } from './gmail-errors';

/** A label, which is what Gmail has instead of folders; nested ones have a name with slashes. */
export interface Label {
  readonly id: string;
  readonly name: string;
  readonly type?: string;
}

/** A part of a mail, parsed by Gmail. Its name is decoded. */
export interface MessagePart {
  /** Empty for the whole mail. */
  readonly partId?: string;
  readonly mimeType?: string;
  readonly filename?: string;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  /** `attachmentId` differs from answer to answer; what has none has its bytes in `data`. `size` is that of the bytes. */
  readonly body?: { readonly attachmentId?: string; readonly size?: number; readonly data?: string };
  /** Of a multipart, or the one body of a mail within the mail. */
  readonly parts?: readonly MessagePart[];
}

export interface Message {
  readonly id: string;
  readonly labelIds?: readonly string[];
  /** When Google took it on; milliseconds since 1970. */
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
/** Ids and changes a page; the most that the API gives are 500. */
const PAGE = 100;
const CHANGES = 500;
/** Nested deeper than this, a part's whole tree is taken, with the texts in it. */
const DEPTH = 6;

/** All of a part but its bytes: the text of a mail is not needed. */
const partFields = (depth: number): string =>
  `partId,mimeType,filename,headers,body(attachmentId,size),${depth === 0 ? 'parts' : `parts(${partFields(depth - 1)})`}`;
const MESSAGE_FIELDS = `id,labelIds,internalDate,payload(${partFields(DEPTH)})`;

/** What of the Gmail API (v1) is used. */
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

  /** Whose mailbox it is, and the present end of its history. */
  profile(): Promise<{ emailAddress: string; historyId: string }> {
    return this.client.json(`${ME}/profile`, { fields: 'emailAddress,historyId' });
  }

  /** All labels, the system's included. */
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
      // Seconds; one more, for whether the border is part of it is not said. What is too old is left out later.
      q: since === null ? undefined : `after:${Math.floor(since.getTime() / 1000) - 1}`,
      maxResults: PAGE,
      pageToken,
      fields: 'messages(id),nextPageToken',
    });
    const { messages, nextPageToken } = page;
    return { ids: (messages ?? []).map(({ id }) => id), ...(nextPageToken && { nextPageToken }) };
  }

  /** A mail without its texts. @throws DocumentUnavailable when it is gone */
  message(id: string): Promise<Message> {
    return this.mails.json(`${ME}/messages/${encodeURIComponent(id)}`, { format: 'full', fields: MESSAGE_FIELDS });
  }

  /** A mail with its texts. @throws DocumentUnavailable when it is gone */
  wholeMessage(id: string): Promise<Message> {
    return this.mails.json(`${ME}/messages/${encodeURIComponent(id)}`, { format: 'full', fields: 'id,payload' });
  }

  /** What has happened to mails since, oldest first. @throws CursorInvalid when that is too long ago */
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

  /** JSON with the bytes of an attachment in `data`. @throws DocumentUnavailable when there is none with this id */
  async attachment(messageId: string, id: string): Promise<Readable> {
    const path = `${ME}/messages/${encodeURIComponent(messageId)}/attachments/${encodeURIComponent(id)}`;
    return (await this.documents.bytes(path, { fields: 'data' }, { givesRest: false })).stream;
  }
}
