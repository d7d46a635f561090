/** A response of the API: JSON of a described type, bytes, or a redirect to bytes on another host. */
export type GraphAnswer =
  | {
      readonly status: number;
      readonly json: unknown;
      readonly type?: string;
      readonly headers?: Record<string, string>;
    }
  | {
      readonly status: number;
      readonly bytes: Buffer;
      readonly mimeType: string;
      /** Closes the connection after this number of bytes. */
      readonly cutAfter?: number;
    }
  | { readonly redirect: Buffer };

export const refused = (status: number, code: string, headers: Record<string, string> = {}): GraphAnswer => ({
  status,
  headers,
  json: {
    error: {
      code,
      message: 'As asked.',
      innerError: { date: '2026-11-22T04:00:00', 'request-id': '0', 'client-request-id': '0' },
    },
  },
});

/** One request as the endpoints receive it. */
export interface GraphRequest {
  readonly url: URL;
  readonly account: string;
  readonly scopes: readonly string[];
  readonly prefer: string;
  /** The API's own address, for links. */
  readonly base: string;
  /** The server's own page limit; clients have to accept fewer entries than they request. */
  readonly page: number;
}

/** Reduced to the fields of `$select`; the id and annotations are always included. */
export function selected(resource: Record<string, unknown>, select: string | null): Record<string, unknown> {
  if (select === null) return resource;
  // A member of a derived type is requested with the type as a prefix.
  const wanted = new Set(select.split(',').map((name) => name.split('/').at(-1)));
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => name === 'id' || name.startsWith('@') || wanted.has(name)),
  );
}

/** One page of a list. */
export function listed(asked: GraphRequest, type: string, all: readonly Record<string, unknown>[]): GraphAnswer {
  const { url, page } = asked;
  const from = Number(url.searchParams.get('$skiptoken') ?? 0);
  const wanted = Number(url.searchParams.get('$top') ?? /odata\.maxpagesize=(\d+)/.exec(asked.prefer)?.[1] ?? 100);
  const size = Math.min(page, wanted);
  const next = new URL(asked.base + url.pathname + url.search);
  next.searchParams.set('$skiptoken', String(from + size));
  const value = all.slice(from, from + size).map((each) => selected(each, url.searchParams.get('$select')));
  const json = { value, ...(from + size < all.length && { '@odata.nextLink': next.href }) };
  return { status: 200, type, json };
}

/** One page of changes, with the link to the next page or the delta link. */
export function changed(
  asked: GraphRequest,
  type: string,
  part: { readonly value: readonly Record<string, unknown>[]; readonly next: string; readonly isLast: boolean },
  parameter: { readonly next: string; readonly delta: string },
): GraphAnswer {
  const link = (name: string): string => `${asked.base}${asked.url.pathname}?${name}=${part.next}`;
  const on = part.isLast ? { '@odata.deltaLink': link(parameter.delta) } : { '@odata.nextLink': link(parameter.next) };
  return { status: 200, type, json: { value: part.value, ...on } };
}
