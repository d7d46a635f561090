import { parseStorageUrl } from '../storage/storage-url';
import { BASIC_SETTINGS } from './basic-settings';
import { KMS_SETTINGS } from './kms-settings';
import { MAIL_SETTINGS } from './mail/mail-settings';
import { setting } from './setting-definition';
import * as read from './setting-parsers';
import { TRACING_SETTINGS } from './tracing-settings';

/** Every setting of a process (decisions 8) but those of single providers (`provider-settings.ts`). */
export const SETTING_DEFINITIONS = {
  ...BASIC_SETTINGS,
  ...KMS_SETTINGS,
  ...MAIL_SETTINGS,
  /** The bucket that stores documents. Null: the database stores them. */
  storage: setting({
    variable: 'STORAGE_URL',
    section: 'documents',
    parse: parseStorageUrl,
    default: null,
    defaultDescription: 'the database',
    description:
      'a bucket for the bytes of documents, recommended beyond one machine, at Amazon or any other S3-compatible storage: `s3://bucket/prefix?region=…`, with `&access_key=…&secret_key=…` unless the process has a role at AWS (IRSA, EKS Pod Identity, ECS, instance), `&endpoint=https://…` for storage other than Amazon and `&addressing=host` when the bucket is part of the host name. Requirements and effects: [operations.md](operations.md#a-bucket-for-documents)',
  }),
  /** The folder of the operator's own files of providers. */
  providersDir: setting({
    variable: 'PROVIDERS_DIR',
    section: 'providers',
    parse: read.folder,
    default: null,
    description:
      'a folder with files of providers (`<id>.yaml`) that are added to those of the build at the start. `docfetch provider check` checks them. See [provider-language.md](../integrate/provider-language.md#your-own-providers)',
  }),
  showUnavailable: setting({
    variable: 'SHOW_UNAVAILABLE',
    section: 'providers',
    parse: (text) => read.oneOf(['true', 'false'] as const)(text) === 'true',
    default: 'false',
    description:
      '`true`: the hosted UI also shows the integrations that are not available in this deployment, as tiles that cannot be selected; `false`: it hides them. `GET /v1/integrations` lists them in both cases, with `available: false`',
  }),
  networkAllow: setting({
    variable: 'NETWORK_ALLOW',
    section: 'network',
    parse: read.cidrs,
    default: null,
    defaultDescription: 'loopback; nothing in production',
    description: 'private networks that fetches and pushes may reach, `10.1.0.0/16,…`; public addresses need no entry',
  }),
  /** The proxies whose `X-Forwarded-For` is trusted: their number, or their networks; 0 for none. */
  trustProxy: setting({
    variable: 'TRUST_PROXY',
    section: 'network',
    parse: read.proxies,
    default: '0',
    description:
      'the proxies whose `X-Forwarded-For` is trusted: this number of proxies in front of the service (0–9), or the proxies in these networks, `10.1.0.0/16,…`',
  }),
  consoleEnabled: setting({
    variable: 'CONSOLE_ENABLED',
    section: 'network',
    parse: (text) => read.oneOf(['true', 'false'] as const)(text) === 'true',
    default: 'true',
    description:
      '`false`: the process has no console: `/console/` and its part of the API answer 404, and its sessions are ignored. Processes with and without it can run beside each other, at different addresses',
  }),
  /** Seconds between the signal to end and the end of accepting requests; the process is not ready in the meantime. */
  shutdownDelaySeconds: setting({
    variable: 'SHUTDOWN_DELAY_SECONDS',
    section: 'network',
    parse: read.integer(0, 300),
    default: '0',
    description:
      'how long a process that is asked to end (SIGTERM) still accepts requests although `GET /health/ready` already fails (0–300), so that load balancers notice in time. It does not apply to workers',
  }),
  workerConcurrency: setting({
    variable: 'WORKER_CONCURRENCY',
    section: 'capacity',
    parse: read.integer(1, 1000),
    default: '10',
    description: 'connections that one worker fetches at the same time (1–1000)',
  }),
  /** Documents sent to one client endpoint at the same time. */
  pushConcurrency: setting({
    variable: 'PUSH_CONCURRENCY',
    section: 'capacity',
    parse: read.integer(1, 100),
    default: '8',
    description: 'documents sent to one client endpoint at the same time (1–100)',
  }),
  /** Seconds before each attempt to push a document, counted from the previous one (decisions 6). The first is 0. */
  pushRetrySchedule: setting({
    variable: 'PUSH_RETRY_SCHEDULE',
    section: 'capacity',
    parse: read.retrySchedule,
    // About 72 hours, longer than a weekend (decisions 6).
    default: '0s,30s,2m,10m,30m,1h,2h,4h,8h,12h,20h,24h',
    description:
      'the delays before the attempts to push a document, each counted from the previous attempt; the number of delays is the number of attempts. The delays begin with `0s` and increase; `s`, `m`, `h`, `d`, 7 days at most',
  }),
  /** Requests a minute per API key, and per session of the console (decisions 3). */
  rateLimitPerKey: setting({
    variable: 'RATE_LIMIT_PER_KEY',
    section: 'capacity',
    parse: read.integer(1, 1_000_000_000),
    default: '600',
    description:
      'requests per minute per API key, and per session of the console, over all processes (at least 1; the same applies to the next two settings)',
  }),
  /** Requests a minute per UI token (decisions 3). */
  rateLimitPerToken: setting({
    variable: 'RATE_LIMIT_PER_TOKEN',
    section: 'capacity',
    parse: read.integer(1, 1_000_000_000),
    default: '120',
    description: 'requests per minute per UI token',
  }),
  /** Failed authentications a minute per address. */
  rateLimitFailures: setting({
    variable: 'RATE_LIMIT_FAILURES',
    section: 'capacity',
    parse: read.integer(1, 1_000_000_000),
    default: '20',
    description: 'failed authentications per minute per client address',
  }),
  logLevel: setting({
    variable: 'LOG_LEVEL',
    section: 'observability',
    parse: read.oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const),
    default: 'info',
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  }),
  /** A separate port for the metrics. Null: they are served on `port` if there is a token. */
  metricsPort: setting({
    variable: 'METRICS_PORT',
    section: 'observability',
    parse: read.integer(1, 65_535),
    default: null,
    description:
      'a separate port for `GET /metrics` (Prometheus), on all interfaces, which serves nothing else; do not publish it',
  }),
  /** The token that a scrape has to send (`Authorization: Bearer …`). Null: none is required. */
  metricsToken: setting({
    variable: 'METRICS_TOKEN',
    section: 'observability',
    parse: read.bearer,
    default: null,
    description:
      'the token that scrapers have to send, as `Authorization: Bearer …` (32 characters or more); without `METRICS_PORT`, metrics are on `PORT`. Without both settings there are no metrics',
  }),
  ...TRACING_SETTINGS,
};
