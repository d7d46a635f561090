import type { Readable } from 'node:stream';
import type { Session } from '../../core/integration';
import { SelectionNotFound, UnexpectedResponse, type SourceError } from '../../core/source-errors';
import { RestClient } from '../rest/rest-client';
import type { ErrorResponse, Query } from '../rest/rest-request';
import { classify, classifyDelta, classifyDocument, classifyLookUp } from './graph-errors';

/** A page of a list with the link to continue: `next` for the rest of the list, `delta` for later changes. */
export interface GraphPage<T> {
  readonly value: readonly T[];
  readonly next?: string;
  readonly delta?: string;
}

interface ODataPage<T> {
  readonly value?: readonly T[];
  readonly '@odata.nextLink'?: string;
  readonly '@odata.deltaLink'?: string;
}

export interface GraphContent {
  readonly stream: Readable;
  /** The size in bytes, when Graph states it. */
  readonly size: number | undefined;
  readonly mimeType: string;
}

type GraphSession = Pick<Session, 'network' | 'signal' | 'apiBaseUrl' | 'accessToken'>;

/**
 * A client of Microsoft Graph (v1.0) for one connection. Links to further pages are provider input: only their path below the API's
 * own address is used and stored.
 */
export class GraphClient {
  private readonly general: RestClient;
  private readonly lookUps: RestClient;
  private readonly deltas: RestClient;
  private readonly files: RestClient;

  /** `prefer`: the `Prefer` header of every request (RFC 7240). */
  constructor(
    private readonly session: GraphSession,
    prefer?: string,
  ) {
    const client = (classification: (refusal: ErrorResponse) => SourceError, followsRedirects = false): RestClient =>
      new RestClient(session, {
        provider: 'Microsoft Graph',
        classify: classification,
        ...(prefer !== undefined && { headers: { prefer } }),
        followsRedirects,
      });
    this.general = client(classify);
    this.lookUps = client(classifyLookUp);
    this.deltas = client(classifyDelta);
    this.files = client(classifyDocument, true);
  }

  get<T>(path: string, query?: Query): Promise<T> {
    return this.general.json(path, query);
  }

  /** Looks up something by an id from user input; null when it does not exist. */
  async lookUp<T>(path: string, query?: Query): Promise<T | null> {
    try {
      return await this.lookUps.json<T>(path, query);
    } catch (error) {
      if (error instanceof SelectionNotFound) return null;
      throw error;
    }
  }

  /** The response of a GET that concerns a single document. @throws DocumentUnavailable */
  getForDocument<T>(path: string, query?: Query): Promise<T> {
    return this.files.json(path, query);
  }

  /** All pages of a list. @throws UnexpectedResponse when a link leads to another address */
  async *list<T>(path: string, query?: Query): AsyncGenerator<readonly T[]> {
    for (let page = await this.page<T>(this.general, path, query); ;) {
      yield page.value;
      if (page.next === undefined) return;
      page = await this.page<T>(this.general, page.next);
    }
  }

  /** One page of changes. @throws CursorInvalid when Graph no longer knows the link; UnexpectedResponse as `list` */
  async delta<T>(link: string, query?: Query): Promise<GraphPage<T>> {
    const page = await this.page<T>(this.deltas, link, query);
    if (page.next === undefined && page.delta === undefined) {
      throw new UnexpectedResponse('Microsoft Graph answers a page of changes without a link to continue.');
    }
    return page;
  }

  /**
   * The content of a file, following Graph's redirects without the access token. Without range support (`givesRest`) the stream
   * fails with `ConnectionLost` when the connection breaks. @throws DocumentUnavailable
   */
  content(path: string, { givesRest = true } = {}): Promise<GraphContent> {
    return this.files.bytes(path, {}, { givesRest });
  }

  private async page<T>(client: RestClient, path: string, query?: Query): Promise<GraphPage<T>> {
    const body = await client.json<ODataPage<T>>(path, query);
    const { value, '@odata.nextLink': next, '@odata.deltaLink': delta } = body;
    if (!Array.isArray(value)) throw new UnexpectedResponse('Microsoft Graph answers without the expected list.');
    return {
      value: value as readonly T[],
      ...(next !== undefined && { next: this.pathBelowBase(next) }),
      ...(delta !== undefined && { delta: this.pathBelowBase(delta) }),
    };
  }

  /** The path of a link below the API's address, the only one that receives the access token. */
  private pathBelowBase(link: string): string {
    const base = this.session.apiBaseUrl;
    const url = URL.canParse(link) ? new URL(link) : null;
    const path = url && url.origin + url.pathname;
    if (!url || !path?.startsWith(`${new URL(base).href.replace(/\/$/, '')}/`)) {
      throw new UnexpectedResponse('Microsoft Graph sends a link to another address.');
    }
    return (path + url.search).slice(new URL(base).href.replace(/\/$/, '').length);
  }
}
