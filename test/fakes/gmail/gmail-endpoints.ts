import { type GoogleAnswer, refused } from '../google/answers';
import { select } from '../google/partial-response';
import type { Event, GmailState, StoredMail } from './gmail-state';
import type { PayloadPart } from './mail-payload';

const MEMBERS = {
  messageAdded: 'messagesAdded',
  messageDeleted: 'messagesDeleted',
  labelAdded: 'labelsAdded',
  labelRemoved: 'labelsRemoved',
} as const;

/** The used methods of the API, as the reference describes them. */
export class GmailEndpoints {
  /** The server's own page limit; clients have to accept fewer entries than they request. */
  page = 500;
  /** Invalidates all page tokens issued so far. */
  forgetsPages = false;

  constructor(private readonly account: (email: string) => GmailState) {}

  answer(email: string, url: URL): GoogleAnswer {
    const state = this.account(email);
    const path = url.pathname.replace('/gmail/v1/users/me/', '');
    const query = url.searchParams;
    const answer = this.json(state, email, path, query);
    const fields = query.get('fields');
    if (answer.status !== 200 || !('json' in answer) || fields === null) return answer;
    const json = select(answer.json, fields);
    return json === null ? refused(400, 'invalidParameter', 'fields') : { status: 200, json };
  }

  private json(state: GmailState, email: string, path: string, query: URLSearchParams): GoogleAnswer {
    const [, message, attachment] = /^messages\/([^/]+)(?:\/attachments\/([^/]+))?$/.exec(path) ?? [];
    if (attachment !== undefined) return attached(state, message!, decodeURIComponent(attachment));
    if (message !== undefined) return mail(state, message, query);
    if (path === 'messages') return this.messages(state, query);
    if (path === 'history') return this.history(state, query);
    if (path === 'labels') return { status: 200, json: { labels: [...state.labels].map(labelResource) } };
    if (path !== 'profile') return refused(404, 'notFound');
    const messagesTotal = state.mails.size;
    const json = {
      emailAddress: email,
      messagesTotal,
      threadsTotal: messagesTotal,
      historyId: String(state.historyId),
    };
    return { status: 200, json };
  }

  private messages(state: GmailState, query: URLSearchParams): GoogleAnswer {
    const labels = query.getAll('labelIds');
    if (labels.some((id) => !state.labels.has(id))) return refused(400, 'invalidArgument');
    const q = query.get('q') ?? 'after:0';
    const after = /^after:(\d+)$/.exec(q)?.[1];
    if (after === undefined) return refused(400, 'badRequest', 'q');
    const from = this.place(query);
    if (from === null) return refused(400, 'invalidArgument', 'pageToken');
    const hidden = query.get('includeSpamTrash') === 'true' ? [] : ['SPAM', 'TRASH'];
    const all = [...state.mails.values()]
      .filter(({ labelIds }) => labels.every((id) => labelIds.has(id)) && !hidden.some((id) => labelIds.has(id)))
      .filter(({ internalDate }) => internalDate > Number(after) * 1000)
      .sort((a, b) => b.internalDate - a.internalDate || (a.id < b.id ? 1 : -1));
    const rest = from === '' ? all : all.slice(all.findIndex(({ id }) => id === from) + 1);
    const part = rest.slice(0, this.limit(query));
    const json = {
      ...(part.length > 0 && { messages: part.map(({ id }) => ({ id, threadId: id })) }),
      ...(part.length < rest.length && { nextPageToken: `page~${part.at(-1)!.id}` }),
      resultSizeEstimate: all.length,
    };
    return { status: 200, json };
  }

  private history(state: GmailState, query: URLSearchParams): GoogleAnswer {
    const start = query.get('startHistoryId');
    if (start === null) return refused(400, 'required', 'startHistoryId');
    const events = state.since(Number(start));
    const from = this.place(query);
    if (events === null || from === null) return refused(404, 'notFound');
    const types = query.getAll('historyTypes');
    const wanted = events.filter(({ kind }) => types.length === 0 || types.includes(kind));
    const rest = wanted.filter(({ id }) => id > Number(from));
    const part = rest.slice(0, this.limit(query));
    const json = {
      ...(part.length > 0 && { history: part.map(historyResource) }),
      ...(part.length < rest.length && { nextPageToken: `page~${part.at(-1)!.id}` }),
      historyId: String(state.historyId),
    };
    return { status: 200, json };
  }

  /** The position after which the page starts; null for an invalid token. */
  private place(query: URLSearchParams): string | null {
    const token = query.get('pageToken');
    if (token === null) return '';
    return this.forgetsPages ? null : (/^page~(.+)$/.exec(token)?.[1] ?? null);
  }

  private limit(query: URLSearchParams): number {
    return Math.min(this.page, Number(query.get('maxResults') ?? 100));
  }
}

function mail(state: GmailState, id: string, query: URLSearchParams): GoogleAnswer {
  const found = state.mails.get(id);
  if (!found) return refused(404, 'notFound');
  return (query.get('format') ?? 'full') === 'full'
    ? { status: 200, json: messageResource(state, found) }
    : refused(400, 'badRequest', 'format');
}

function attached(state: GmailState, message: string, id: string): GoogleAnswer {
  if (!state.mails.has(message)) return refused(404, 'notFound');
  const bytes = state.attachment(id);
  if (!bytes) return refused(400, 'invalidArgument', undefined, 'Invalid attachment token');
  return { status: 200, json: { size: bytes.length, data: bytes.toString('base64url') } };
}

const labelResource = ([id, name]: [string, string]) => ({
  id,
  name,
  type: id.startsWith('Label_') ? 'user' : 'system',
});

function messageResource(state: GmailState, { id, labelIds, internalDate, payload }: StoredMail) {
  return {
    id,
    threadId: id,
    labelIds: [...labelIds],
    snippet: '',
    historyId: String(state.historyId),
    internalDate: String(internalDate),
    payload: partResource(state, payload),
  };
}

function partResource(state: GmailState, part: PayloadPart): Record<string, unknown> {
  const { partId, mimeType, filename, headers, parts, bytes } = part;
  return {
    partId,
    mimeType,
    filename,
    headers,
    body: body(state, filename, bytes),
    ...(parts.length > 0 && { parts: parts.map((each) => partResource(state, each)) }),
  };
}

/** A part with a name is a separate attachment. */
function body(state: GmailState, filename: string, bytes: Buffer | null) {
  if (bytes === null) return { size: 0 };
  if (filename === '') return { size: bytes.length, data: bytes.toString('base64url') };
  return { attachmentId: state.attach(bytes), size: bytes.length };
}

function historyResource({ id, kind, mail: mailId, labelIds }: Event) {
  const message = { id: mailId, threadId: mailId };
  const isOfLabels = kind === 'labelAdded' || kind === 'labelRemoved';
  return { id: String(id), messages: [message], [MEMBERS[kind]]: [{ message, ...(isOfLabels && { labelIds }) }] };
}
