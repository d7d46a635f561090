import type { Service } from '../harness/processes/service';

/** A session of the console, opened with an API key, as the console itself does it. */
export class ConsoleClient {
  private constructor(
    private readonly base: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  static async open({ base }: Service, apiKey: string): Promise<ConsoleClient> {
    const answer = await fetch(`${base}/v1/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey }),
    });
    if (!answer.ok) throw new Error(`The session was not opened: ${answer.status} ${await answer.text()}`);
    const { data } = (await answer.json()) as { data: { csrf_token: string } };
    const [cookie = ''] = answer.headers.getSetCookie();
    return new ConsoleClient(base, { cookie: cookie.split(';')[0]!, 'x-csrf-token': data.csrf_token });
  }

  /** Sends a request, a POST when it has a body, and returns the answer and its duration in milliseconds. */
  async request(path: string, body?: object): Promise<{ ms: number; answer: Record<string, unknown> }> {
    const began = performance.now();
    const response = await fetch(this.base + path, {
      method: body ? 'POST' : 'GET',
      headers: { ...this.headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const ms = performance.now() - began;
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return { ms, answer: JSON.parse(text) as Record<string, unknown> };
  }
}
