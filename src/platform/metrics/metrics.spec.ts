import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Options } from 'pino-http';
import { Settings } from '../config/settings';
import { loggerOptions } from '../http/logging/logger-options';
import { Metrics } from './metrics';

describe('Metrics', () => {
  it('count log lines of level warn and above by their context', async () => {
    const settings = new Settings({ metricsPort: null, metricsToken: null, logLevel: 'debug' } as never);
    const metrics = new Metrics(settings);
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const logger = pino(loggerOptions(settings, metrics).pinoHttp as Options, nowhere);
    logger.error({ context: 'Schedule', err: new Error('hunter2') }, 'The schedule could not be read');
    logger.error({ context: 'Schedule' }, 'The schedule could not be read');
    logger.warn({ context: 'FetchWorker' }, 'A fetch has failed');
    logger.info({ context: 'FetchWorker' }, 'All is well');
    logger.error({ req: { method: 'GET', url: '/' } }, 'request errored');
    const text = await metrics.registry.metrics();
    expect(text).toContain('docfetch_log_messages_total{level="error",context="Schedule"} 2\n');
    expect(text).toContain('docfetch_log_messages_total{level="warn",context="FetchWorker"} 1\n');
    expect(text).toContain('docfetch_log_messages_total{level="error",context="HTTP"} 1\n');
    expect(text).not.toContain('hunter2');
    expect(text.match(/^docfetch_log_messages_total/gm)).toHaveLength(3);
  });

  it('measure the process only when metrics are exposed', async () => {
    const of = (metricsPort: number | null) =>
      new Metrics(new Settings({ metricsPort, metricsToken: null } as never)).registry.metrics();
    expect(await of(null)).not.toContain('nodejs_eventloop_lag_seconds');
    expect(await of(9464)).toContain('nodejs_eventloop_lag_seconds');
  });
});
