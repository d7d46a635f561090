import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';

const run = promisify(execFile);
const COMMANDS: Readonly<Record<string, readonly [command: string, file: string]>> = {
  Shell: ['bash', 'sample.sh'],
  TypeScript: ['node', 'sample.mts'],
  Python: ['python3', 'sample.py'],
  PHP: ['php', 'sample.php'],
};
const CREDENTIALS = { 'x-api-key': 'df_test_sample', 'x-token': 'a.b.c' };

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { content?: object }>>;
  readonly 'x-codeSamples'?: readonly { lang: string; source: string }[];
}

/** The parts of a request that all languages must agree on. */
interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly credential: string | null;
  readonly body: unknown;
}

/**
 * Executes every sample of the OpenAPI document against a server that records requests: the samples of an operation must end
 * without an error and send one request, the same in all languages. Yields the result of each.
 */
export async function* runSamples(
  root: string,
  folder: string,
): AsyncGenerator<{ name: string; problem: string | null }> {
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  mkdirSync(join(folder, 'node_modules/@docfetch'), { recursive: true });
  symlinkSync(join(root, 'sdk/typescript'), join(folder, 'node_modules/@docfetch/sdk'));
  const recorder = await Recorder.start();
  try {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        let first: SentRequest | undefined;
        for (const { lang, source } of operation['x-codeSamples'] ?? []) {
          const [command, file] = COMMANDS[lang]!;
          writeFileSync(join(folder, file), `${source}\n`);
          recorder.answer(operation);
          const failure = await execute(command, join(folder, file), recorder.url);
          const [sent, ...more] = recorder.requests;
          first ??= sent;
          const problem =
            failure ??
            (more.length > 0 || !sent ? `it sends ${recorder.requests.length} requests` : null) ??
            (matches(sent!, method, path) ? null : `it sends ${JSON.stringify(sent)}`) ??
            (isDeepStrictEqual(sent, first) ? null : `${JSON.stringify(sent)} instead of ${JSON.stringify(first)}`);
          yield { name: `${operation.operationId} in ${lang}`, problem };
        }
      }
    }
  } finally {
    await recorder.stop();
  }
}

async function execute(command: string, file: string, url: string): Promise<string | null> {
  const env = {
    ...process.env,
    DOCFETCH_URL: url,
    API_KEY: CREDENTIALS['x-api-key'],
    TOKEN: CREDENTIALS['x-token'],
  };
  try {
    await run(command, [file], { env, timeout: 30_000 });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function matches({ method, url }: SentRequest, expected: string, path: string): boolean {
  const pattern = path.replaceAll(/\{\w+\}/g, '[^/{}?]+');
  return method === expected.toUpperCase() && new RegExp(`^${pattern}(\\?.*)?$`).test(url);
}

/** Records requests, and answers with the first success that the document describes. */
class Recorder {
  requests: SentRequest[] = [];
  private status = 200;
  private body: string | undefined;
  private readonly server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const body = Buffer.concat(chunks as Buffer[]).toString();
      const [name] = Object.entries(CREDENTIALS).find(([header, value]) => request.headers[header] === value) ?? [];
      this.requests.push({
        method: request.method!,
        url: request.url!,
        credential: name ?? null,
        body: body === '' ? null : JSON.parse(body),
      });
      response.writeHead(this.status, { 'Content-Type': 'application/json' }).end(this.body);
    });
  });

  static async start(): Promise<Recorder> {
    const recorder = new Recorder();
    recorder.server.listen(0, '127.0.0.1');
    await once(recorder.server, 'listening');
    return recorder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets what was recorded. */
  answer({ responses }: Operation): void {
    const [status, { content }] = Object.entries(responses).find(([each]) => each.startsWith('2'))!;
    this.status = Number(status);
    this.body = content ? '{"data":{}}' : undefined;
    this.requests = [];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
