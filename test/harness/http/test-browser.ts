import type { TestApp } from '../app/start-app';

/** The URL and status at which a browser stopped. */
export interface BrowserLocation {
  readonly url: URL;
  readonly status: number;
}

/** The response of one URL. */
export interface PageResponse {
  readonly status: number;
  readonly location: string | null;
  readonly cacheControl: string | null;
  readonly body: string;
}

/**
 * A browser in an OAuth flow: it follows redirects, stores cookies as instructed, and resolves the
 * service's public URL.
 */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  /** Cookies of the provider. */
  private readonly providerCookies = new Map<string, string>();

  constructor(private readonly app: TestApp) {}

  /** Opens a URL and follows redirects to the hosted UI, or to the last page. */
  async follow(address: string): Promise<BrowserLocation> {
    let url = new URL(address);
    for (let hops = 0; hops < 10; hops++) {
      if (this.isServiceUrl(url) && url.pathname === '/ui') return { url, status: 200 };
      const { status, location, body } = await this.open(url);
      if (status === 200 && this.isServiceUrl(url) && url.pathname === '/oauth/start') {
        url = new URL(await this.confirm(body));
        continue;
      }
      if (location === null) return { url, status };
      url = new URL(location, url);
    }
    throw new Error('The redirects have no end.');
  }

  /** Opens an `authorization_url` and confirms if asked. Returns the URL at the provider. */
  async startAuthorization(authorizationUrl: string): Promise<string> {
    const { location, body } = await this.open(authorizationUrl);
    return location ?? (await this.confirm(body));
  }

  /** Presses a button of the confirmation page. Returns the target URL. */
  async confirm(page: string, decision = 'continue', headers: Record<string, string> = {}): Promise<string> {
    const fields = new URLSearchParams({ decision });
    for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g))
      fields.set(name!, value!);
    const answer = await fetch(`${this.app.url}/oauth/start`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: this.cookieHeader, 'sec-fetch-site': 'same-origin', ...headers },
      body: fields,
    });
    for (const line of answer.headers.getSetCookie()) this.storeCookie(line);
    const text = await answer.text();
    const next = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    const location = answer.headers.get('location') ?? next;
    if (location === undefined) throw new Error(`The confirmation page leads nowhere: ${answer.status}`);
    return location;
  }

  /** Opens one URL without following its redirect. */
  async open(address: URL | string): Promise<PageResponse> {
    const url = new URL(address);
    const isOurs = this.isServiceUrl(url);
    const target = isOurs ? new URL(url.pathname + url.search, this.app.url) : url;
    const cookie = [...(isOurs ? this.cookies : this.providerCookies)]
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const answer = await fetch(target, { redirect: 'manual', headers: cookie ? { cookie } : {} });
    for (const line of answer.headers.getSetCookie()) {
      if (isOurs) this.storeCookie(line);
      else this.providerCookies.set(...(line.split(';')[0]!.split(/=(.*)/, 2) as [string, string]));
    }
    const { headers, status } = answer;
    const body = await answer.text();
    return { status, location: headers.get('location'), cacheControl: headers.get('cache-control'), body };
  }

  /** Sends JSON as a page of the service does. */
  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const answer = await fetch(this.app.url + path, {
      method: 'POST',
      headers: {
        cookie: this.cookieHeader,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    for (const line of answer.headers.getSetCookie()) this.storeCookie(line);
    return answer;
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private isServiceUrl(url: URL): boolean {
    return url.origin === new URL(this.app.settings.publicUrl).origin;
  }

  /** Stores a cookie as a browser does over https (RFC 6265, and the prefix `__Host-`). */
  private storeCookie(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split('=');
    const has = (attribute: string) => attributes.some((each) => each.toLowerCase() === attribute);
    if (!has('httponly') || !has('samesite=lax'))
      throw new Error(`A cookie is open to scripts or other sites: ${line}`);
    if (name.startsWith('__Host-') && !(has('secure') && has('path=/'))) return;
    this.cookies.set(name, value);
  }
}
