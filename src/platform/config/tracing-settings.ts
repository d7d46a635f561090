import { validateHeaderValue } from 'node:http';
import { setting } from './setting-definition';
import * as read from './setting-parsers';

/** The standard variables of OpenTelemetry. Error texts contain no values: headers and addresses may contain keys. */
export const TRACING_SETTINGS = {
  /** The base address of a collector. Null: nothing is traced. */
  otlpEndpoint: setting({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    section: 'observability',
    parse: collector,
    default: null,
    defaultDescription: 'no traces',
    description:
      'the address of an OpenTelemetry collector that receives OTLP over HTTP, `http://collector:4318`; spans go to `/v1/traces` below it ([traces](operations.md#traces))',
  }),
  otlpHeaders: setting({
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
    section: 'observability',
    parse: headers,
    default: null,
    description: 'headers for the collector, `name=value,…`, values percent-encoded',
  }),
  otlpProtocol: setting({
    variable: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    section: 'observability',
    parse: read.oneOf(['http/protobuf'] as const),
    default: 'http/protobuf',
    description: 'the only supported protocol',
  }),
  otelServiceName: setting({
    variable: 'OTEL_SERVICE_NAME',
    section: 'observability',
    parse: read.text,
    default: 'docfetch',
    description: 'the name of the service in its traces',
  }),
  otelResourceAttributes: setting({
    variable: 'OTEL_RESOURCE_ATTRIBUTES',
    section: 'observability',
    parse: pairs,
    default: null,
    description: 'further attributes of the process in traces, `deployment.environment.name=staging,…`',
  }),
  otelSampler: setting({
    variable: 'OTEL_TRACES_SAMPLER',
    section: 'observability',
    parse: read.oneOf([
      'parentbased_traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'traceidratio',
      'always_on',
      'always_off',
    ] as const),
    default: 'parentbased_traceidratio',
    description:
      'which traces are recorded: `always_on`, `always_off` or `traceidratio`; with `parentbased_` in front, the `traceparent` of a request decides for its trace',
  }),
  otelSamplerRatio: setting({
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    section: 'observability',
    parse: ratio,
    default: '1',
    description: 'the share of traces that `traceidratio` records, from 0 to 1',
  }),
};

function collector(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new Error('must be an absolute http or https address like http://collector:4318, without a query');
  }
  return url.href.replace(/\/+$/, '');
}

function headers(value: string): Readonly<Record<string, string>> {
  const parsed = pairs(value);
  for (const [name, content] of Object.entries(parsed)) {
    try {
      validateHeaderValue(name, content);
    } catch {
      throw new Error('must contain only characters that are allowed in headers');
    }
  }
  return parsed;
}

function pairs(value: string): Readonly<Record<string, string>> {
  const problem = 'must be a list like name=value,name=value, with percent-encoded values';
  const entries = value.split(',').map((part) => {
    const at = part.indexOf('=');
    if (at < 1 || !/^[\w.-]+$/.test(part.slice(0, at).trim())) throw new Error(problem);
    try {
      return [part.slice(0, at).trim(), decodeURIComponent(part.slice(at + 1).trim())];
    } catch {
      throw new Error(problem);
    }
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

function ratio(value: string): number {
  const number = Number(value);
  if (!/^\d*\.?\d+$/.test(value) || number > 1) throw new Error(`must be a number from 0 to 1, not "${value}"`);
  return number;
}
