import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Settings } from '../config/settings';
import { ApiError } from '../errors/errors';
import { ReadMetrics } from './read-metrics';

/** `METRICS_PORT`: a server that serves only `GET /metrics`, so that a proxy cannot expose it by mistake. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsServer.name);
  private server: Server | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly readMetrics: ReadMetrics,
  ) {}

  /** The port on which it listens; null when it does not. */
  get port(): number | null {
    return (this.server?.address() as AddressInfo | null | undefined)?.port ?? null;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort } = this.settings;
    if (metricsPort === null) return;
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.listen(metricsPort);
    try {
      await once(this.server, 'listening');
    } catch (error) {
      throw new Error(`METRICS_PORT ${metricsPort} cannot be used: ${(error as Error).message}`, { cause: error });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.server?.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const [path] = (request.url ?? '').split('?');
      if (path !== '/metrics') return void response.writeHead(404).end();
      if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
      const text = await this.readMetrics.read(request.headers.authorization);
      response.writeHead(200, { 'content-type': this.readMetrics.contentType }).end(text);
    } catch (error) {
      if (error instanceof ApiError) return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      this.logger.error(error, 'The metrics could not be read');
      response.writeHead(500).end();
    }
  }
}
