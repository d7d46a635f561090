import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { FileSystem, type Node } from '../sftp/file-system';
import { type Properties, response } from './multistatus';

export interface FakeDavOptions {
  /** Has Nextcloud's file ids, folder ETags that change with their content, and Nextcloud's paths. Default: a plain server. */
  readonly isNextcloud?: boolean;
  readonly user?: string;
  readonly password?: string;
  /** Ranges are ignored, as RFC 9110 allows. */
  readonly knowsNoRanges?: boolean;
  /** The path prefix of a reverse proxy that does not rewrite paths in responses. Ends with a slash. */
  readonly proxiedAs?: string;
  /** Listings do not contain file sizes. */
  readonly tellsNoSizes?: boolean;
}

/** The fault of one request. Default: none. */
export interface Fault {
  /** Replaces the correct response. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Closes the connection after this number of bytes of the response body. */
  readonly cutAfter?: number;
  /** A file ends early without a declared length, as in HTTP/1.0. */
  readonly endAfter?: number;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly range: string | undefined;
  readonly depth: string | undefined;
  readonly body: string;
}

/** A WebDAV server on a real socket, with its files in memory and faults on command. File paths are relative to the user's home. */
export class FakeDavServer {
  readonly files = new FileSystem();
  readonly requests: SeenRequest[] = [];
  /** Called for every request before it is answered. */
  fault: (request: SeenRequest) => Fault | undefined = () => undefined;
  private readonly sockets = new Set<Socket>();
  private readonly ids = new Map<Node | string, number>();

  private constructor(
    private readonly server: Server,
    private readonly options: FakeDavOptions,
  ) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request, answer) => void this.serve(request, answer));
  }

  static async start(options: FakeDavOptions = {}): Promise<FakeDavServer> {
    // Connections are kept open, as by every server, but not for the length of a test.
    const server = createServer({ keepAliveTimeout: 4_000 }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const fake = new FakeDavServer(server, options);
    fake.files.makeFolder('/home');
    return fake;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  /** The path prefix of the files. */
  get base(): string {
    return this.options.isNextcloud ? `/remote.php/dav/files/${this.uid}/` : '/dav/';
  }

  /** Nextcloud's id of the user, which differs from the login name. */
  get uid(): string {
    return 'Anna Ü';
  }

  get connections(): number {
    return this.sockets.size;
  }

  /** Puts a file below the user's home. Last changed an hour ago by default. */
  put(path: string, content: string | Buffer, modified = new Date(Date.now() - 3_600_000)): Node {
    return this.files.write(`/home/${path}`, Buffer.from(content), modified);
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { authorization, range, depth } = request.headers as Record<string, string | undefined>;
    const body = await text(request).catch(() => '');
    const seen = { method: request.method!, path: request.url!, authorization, range, depth, body };
    this.requests.push(seen);
    const fault = this.fault(seen) ?? {};
    if (fault.status !== undefined) {
      answer.writeHead(fault.status, fault.headers).end(fault.body ?? 'faulty');
      return;
    }
    const login = `${this.options.user ?? 'anna'}:${this.options.password ?? 'right'}`;
    if (authorization !== `Basic ${Buffer.from(login).toString('base64')}`) {
      answer.writeHead(401, { 'www-authenticate': 'Basic realm="fake", charset="UTF-8"' }).end('wrong');
      return;
    }
    if (!isUtf8(seen.path)) {
      answer.writeHead(404).end();
      return;
    }
    const path = this.behindProxy(decodeURIComponent(seen.path)).replace(/\/$/, '');
    if (this.options.isNextcloud && path === '/remote.php/dav' && body.includes('current-user-principal')) {
      const principal = `/remote.php/dav/principals/users/${encodeURIComponent(this.uid)}/`;
      this.multistatus(answer, [response('/remote.php/dav/', { principal })], fault);
      return;
    }
    const base = this.base.replace(/\/$/, '');
    const file = path === base || path.startsWith(`${base}/`) ? `/home${path.slice(base.length)}` : undefined;
    if (file !== undefined && seen.method === 'PROPFIND') this.propfind(file, seen, answer, fault);
    else if (file !== undefined && seen.method === 'GET') this.get(file, seen, answer, fault);
    else answer.writeHead(404).end();
  }

  private behindProxy(path: string): string {
    const { proxiedAs } = this.options;
    if (proxiedAs === undefined) return path;
    return path.startsWith(proxiedAs) ? this.base + path.slice(proxiedAs.length) : '/';
  }

  private propfind(path: string, { depth }: SeenRequest, answer: ServerResponse, fault: Fault): void {
    const attributes = this.files.attributes(path);
    if (!attributes) return void answer.writeHead(404).end();
    // Apache answers this for a rejected depth.
    if (depth !== '0' && depth !== '1') return void answer.writeHead(403).end();
    const isFolder = this.files.entries(path) !== undefined;
    const responses = [this.describe(path, isFolder)];
    for (const { filename, attrs } of (depth === '1' && this.files.entries(path)) || []) {
      responses.push(this.describe(`${path}/${filename}`, (attrs.mode & 0o170000) === 0o040000));
    }
    this.multistatus(answer, responses, fault);
  }

  private describe(path: string, isFolder: boolean): string {
    const { isNextcloud } = this.options;
    const href = encodeURI(this.base) + path.slice('/home/'.length).split('/').map(encodeURIComponent).join('/');
    const properties: Properties = { isFolder };
    const node = this.files.node(path);
    if (isFolder) {
      if (isNextcloud) {
        const folders = (this.files.entries(path) ?? []).filter(({ attrs }) => (attrs.mode & 0o170000) === 0o040000);
        Object.assign(properties, { etag: this.folderEtag(path), fileId: this.id(path), folders: folders.length });
      }
      return response(isFolder && !href.endsWith('/') ? `${href}/` : href, properties);
    }
    const modified = new Date(node!.mtime * 1000).toUTCString();
    Object.assign(properties, { modified, etag: etagOf(node!) });
    if (!this.options.tellsNoSizes) properties.size = node!.content.length;
    if (isNextcloud) properties.fileId = this.id(node!);
    return response(href, properties);
  }

  private get(path: string, { range }: SeenRequest, answer: ServerResponse, fault: Fault): void {
    const node = this.files.node(path);
    if (!node) return void answer.writeHead(404).end();
    if (node.isClosed) return void answer.writeHead(403).end();
    const from = this.options.knowsNoRanges ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const { length } = node.content;
    const { endAfter } = fault;
    if (endAfter !== undefined) answer.useChunkedEncodingByDefault = false;
    answer.writeHead(from > 0 ? 206 : 200, {
      etag: etagOf(node),
      'last-modified': new Date(node.mtime * 1000).toUTCString(),
      ...(endAfter === undefined && { 'content-length': length - from }),
      ...(from > 0 && { 'content-range': `bytes ${from}-${length - 1}/${length}` }),
    });
    if (endAfter === undefined) this.send(answer, node.content.subarray(from), fault);
    else answer.write(node.content.subarray(from, from + endAfter), () => answer.end());
  }

  private multistatus(answer: ServerResponse, responses: readonly string[], fault: Fault): void {
    answer.writeHead(207, { 'content-type': 'application/xml; charset=utf-8' });
    const namespaces = 'xmlns:x="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"';
    const body = `<?xml version="1.0"?>\n<x:multistatus ${namespaces}>${responses.join('\n')}</x:multistatus>`;
    this.send(answer, Buffer.from(body), fault);
  }

  private send(answer: ServerResponse, body: Buffer, { cutAfter }: Fault): void {
    if (cutAfter === undefined || cutAfter >= body.length) return void answer.end(body);
    answer.write(body.subarray(0, cutAfter), () => answer.socket?.destroySoon());
  }

  private id(of: Node | string): string {
    const known = this.ids.get(of) ?? this.ids.size + 100;
    this.ids.set(of, known);
    return String(known);
  }

  private folderEtag(path: string): string {
    const hash = createHash('sha1');
    for (const { filename, attrs } of this.files.entries(path) ?? []) {
      const below = `${path}/${filename}`;
      const isFolder = (attrs.mode & 0o170000) === 0o040000;
      hash.update(`${filename}\0${isFolder ? this.folderEtag(below) : etagOf(this.files.node(below)!)}`);
    }
    return `"${hash.digest('hex')}"`;
  }
}

function isUtf8(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function etagOf({ content, mtime }: Node): string {
  return `"${createHash('sha1').update(content).digest('hex')}&${mtime}"`;
}
