import type { TestBrowser, BrowserLocation } from './test-browser';
import type { TestApp } from '../app/start-app';

/** The choices of a test user on the consent page of `sandbox_oauth`. */
export interface Choice {
  readonly decision?: 'allow' | 'deny';
  readonly account?: string;
  /** Default: all requested scopes. */
  readonly granted?: readonly string[];
  /** Replaces the values of the page's form. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Sends the form of the consent page at `url`. Returns the status and the target URL. */
export async function sendConsent(
  app: TestApp,
  browser: TestBrowser,
  url: URL,
  { decision = 'allow', account = 'anna@sandbox.example', granted, form = {} }: Choice = {},
): Promise<{ status: number; location: string | null }> {
  // The form's hidden fields repeat the parameters of the page.
  const fields = new URLSearchParams({ ...Object.fromEntries(url.searchParams), ...form, account, decision });
  for (const scope of granted ?? url.searchParams.get('scope')!.split(' ')) fields.append('granted', scope);
  const answer = await fetch(`${app.url}/sandbox/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: browser.cookieHeader },
    body: fields,
  });
  await answer.body?.cancel();
  return { status: answer.status, location: answer.headers.get('location') };
}

/** Opens an `authorization_url`, chooses on the consent page, and returns to the hosted UI. */
export async function giveSandboxConsent(
  app: TestApp,
  browser: TestBrowser,
  authorizationUrl: string,
  choice: Choice = {},
): Promise<BrowserLocation> {
  const page = await browser.follow(authorizationUrl);
  if (page.url.pathname !== '/sandbox/authorize' || page.status !== 200)
    throw new Error(`No consent page: ${page.url.href}`);
  const { location } = await sendConsent(app, browser, page.url, choice);
  return browser.follow(location!);
}
