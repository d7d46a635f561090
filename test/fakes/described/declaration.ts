import type { ProviderBehavior } from '../oauth/provider-behavior';
import type { FakeAccount, Entry } from './fake-account';

/** An answer: JSON, a file, a redirect, or an error. */
export interface FakeAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly file?: Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request with valid credentials. */
export interface FakeCall {
  readonly account: FakeAccount;
  /** The parts of the path, by the names in the route. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The JSON of a POST. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The address of the API without a slash at the end, for addresses in answers. */
  readonly url: string;
  /** The number of records to which a list limits its pages, where it tells that there are more. */
  readonly largest: number;
  /** One page of the entries. */
  page(entries: readonly Entry[], parameters: PageParameters): FakePage;
  /** The address of a document on another host, which needs no credentials. */
  fileUrl(entry: Entry): string;
}

/** A request as it was sent, for keys that sign it. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The names of a list's parameters, and its sizes. */
export interface PageParameters {
  /** The parameter of the page's number, which begins with 1 unless `first` is 0. */
  readonly number?: string;
  readonly first?: 0 | 1;
  /** Instead: the parameter of the number of records before the page. */
  readonly offset?: string;
  readonly size?: string;
  readonly standard: number;
  readonly largest: number;
  /** Whether the list states how long it is, so that pages may be shorter than asked for. Default true. */
  readonly statesLength?: boolean;
}

export interface FakePage {
  readonly entries: readonly Entry[];
  readonly number: number;
  readonly size: number;
  readonly total: number;
  readonly pages: number;
  readonly hasMore: boolean;
}

/** What a new document of an account consists of. */
export interface NewEntry {
  /** The list that contains it. */
  readonly list: string;
  readonly id: string;
  /** The record as the API returns it. */
  readonly record: Record<string, unknown>;
}

/**
 * Everything that distinguishes the fake server of one provider: `test/fakes/providers/<id>.ts` exports it as `fake`. The contract
 * suite, the fault suite, the crash suite and the spec of the provider use the same fake. All records have to match the provider's
 * description.
 */
export interface FakeDeclaration {
  /** The file of the provider's description; several ones by the beginning of the path. */
  readonly description: string | Readonly<Record<string, string>>;
  /** Parameters that the provider documents for all its lists, outside its description. */
  readonly generalParameters?: readonly string[];
  /** The path of the API. */
  readonly base: string;
  /** For an API with a single address: the path in the routes and in the description. */
  pathOf?(headers: Readonly<Record<string, unknown>>): string;
  /** Answers to requests without credentials, by route. */
  readonly open?: Readonly<Record<string, () => FakeAnswer>>;
  /** For API keys: new ones, the fields of the first step, and how requests contain it. */
  readonly key?: {
    create(): string;
    fields(key: string, account: FakeAccount): Readonly<Record<string, unknown>>;
    of(headers: Readonly<Record<string, unknown>>, query: URLSearchParams, sent: SentRequest): string | undefined;
    /** The answer to a request without a valid one. Default: 401. */
    refused?(sent: SentRequest): FakeAnswer;
    /** The headers that must not be sent to another host. Default: authorization. */
    readonly headers?: readonly string[];
  };
  /** For OAuth: the paths of the authorization server on the same host. */
  readonly oauth?: ProviderBehavior & { readonly authorize: string; readonly token: string };
  /** The values of the second step. */
  step2?(account: FakeAccount): Readonly<Record<string, unknown>>;
  /** The n-th document, issued on a day (`YYYY-MM-DD`). */
  document(n: number, day: string, account: FakeAccount): NewEntry;
  /** Adds records that are not documents, such as drafts. */
  others?(account: FakeAccount): void;
  /** Answers by route: `GET /invoices/{id}/pdf`. */
  readonly routes: Readonly<Record<string, (call: FakeCall) => FakeAnswer>>;
}

export const bearer = (headers: Readonly<Record<string, unknown>>): string | undefined =>
  /^Bearer (\S+)$/.exec(String(headers['authorization']))?.[1];
export const NOT_FOUND: FakeAnswer = { status: 404, json: {} };
/** A PDF; 404 without an entry. */
export const pdf = (entry: Entry | undefined): FakeAnswer =>
  entry ? { file: entry.content, type: 'application/pdf' } : NOT_FOUND;
