import type { Readable } from 'node:stream';
import type { Session } from '../../core/integration';
import { SelectionNotFound, UnexpectedResponse, type SourceError } from '../../core/source-errors';
import { type Query, type ErrorResponse, RestClient } from '../rest/rest-client';
import { classify, classifyDelta, classifyDocument, classifyLookUp } from './graph-errors';

/** A part of a list, and the way to the next: `next` for the rest of this one, `delta` for what changes from now on. */
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
  /** Bytes, when Graph tells. */
  readonly size: number | undefined;
  readonly mimeType: string;
}

type GraphSession = Pick<Session, 'network' | 'signal' | 'apiBaseUrl' | 'accessToken'>;

/**
 * Microsoft Graph (v1.0) on behalf of one connection. Links to further pages are the provider's input: what of them is
 * used, and stored, is the path below the API's own address, whoever they name.
 */
export class GraphClient {
  private readonly general: RestClient;
  private readonly lookUps: RestClient;
  private readonly deltas: RestClient;
  private readonly files: RestClient;

  /** `prefer`: what is asked for with every request (RFC 7240). */
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

  /** What a user has named; null when there is no such thing. */
  async lookUp<T>(path: string, query?: Query): Promise<T | null> {
    try {
      return await this.lookUps.json<T>(path, query);
    } catch (error) {
      if (error instanceof SelectionNotFound) return null;
      throw error;
    }
  }

  /** The answer to a GET that is about a single document. @throws DocumentUnavailable */
  getForDocument<T>(path: string, query?: Query): Promise<T> {
    return this.files.json(path, query);
  }

  /** Every page of a list. @throws UnexpectedResponse when a link leads elsewhere */
  async *list<T>(path: string, query?: Query): AsyncGenerator<readonly T[]> {
    for (let page = await this.page<T>(this.general, path, query); ;) {
      yield page.value;
      if (page.next === undefined) return;
      page = await this.page<T>(this.general, page.next);
    }
  }

  /** One page of what has changed. @throws CursorInvalid when Graph no longer knows the link; UnexpectedResponse as `list` */
  async delta<T>(link: string, query?: Query): Promise<GraphPage<T>> {
    const page = await this.page<T>(this.deltas, link, query);
    if (page.next === undefined && page.delta === undefined) {
      throw new UnexpectedResponse('Microsoft Graph answers a page of changes without a way on.');
    }
    return page;
  }

  /**
   * The bytes of a file, wherever Graph sends us for them; the access token stays here. Where Graph gives no rest of them, the
   * stream fails with `ConnectionLost`. @throws DocumentUnavailable
   */
  content(path: string, { givesRest = true } = {}): Promise<GraphContent> {
    return this.files.bytes(path, {}, { givesRest });
  }

  private async page<T>(client: RestClient, path: string, query?: Query): Promise<GraphPage<T>> {
    const body = await client.json<ODataPage<T>>(path, query);
    const { value, '@odata.nextLink': next, '@odata.deltaLink': delta } = body;
    if (!Array.isArray(value))
      throw new UnexpectedResponse('Microsoft Graph answers no list where there should be one.');
    return {
      value: value as readonly T[],
      ...(next !== undefined && { next: this.pathBelowBase(next) }),
      ...(delta !== undefined && { delta: this.pathBelowBase(delta) }),
    };
  }

  /** The path of a link. The access token goes to no other address. */
  private pathBelowBase(link: string): string {
    const base = this.session.apiBaseUrl;
    const url = URL.canParse(link) ? new URL(link) : null;
    const path = url && url.origin + url.pathname;
    if (!url || !path?.startsWith(`${new URL(base).href.replace(/\/$/, '')}/`)) {
      throw new UnexpectedResponse('Microsoft Graph sends a link that leads elsewhere.');
    }
    return (path + url.search).slice(new URL(base).href.replace(/\/$/, '').length);
  }
}
