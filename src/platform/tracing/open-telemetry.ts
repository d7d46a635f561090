import { Logger } from '@nestjs/common';
import type { Attributes, Span as SdkSpan, SpanContext } from '@opentelemetry/api';
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import { randomUUID } from 'node:crypto';
import type { Settings } from '../config/settings';
import { version } from '../config/version';
import { ErrorThrottle } from '../jobs/error-throttle';
import type { Span, SpanAttributes } from '../request/span';
import type { Tracer } from './tracer';

/** Spans that wait for their export at most, about 8 MB. Further ones are dropped: work never waits for the collector. */
const MAX_WAITING_SPANS = 4_096;
const BATCH = 512;
const EXPORT_AFTER_MS = 2_000;
const EXPORT_TIMEOUT_MS = 10_000;

/** Loaded only when tracing is on. */
const loadSdk = async () => ({
  ...(await import('@opentelemetry/api')),
  ...(await import('@opentelemetry/core')),
  ...(await import('@opentelemetry/resources')),
  ...(await import('@opentelemetry/sdk-trace')),
  ...(await import('@opentelemetry/exporter-trace-otlp-proto')),
});
type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Spans of the OpenTelemetry SDK, exported by OTLP over HTTP. */
export async function openTracer(settings: Settings): Promise<Tracer> {
  const sdk = await loadSdk();
  const { BatchSpanProcessor, OTLPTraceExporter, ROOT_CONTEXT, SpanKind, TracerProvider } = sdk;
  const { parseTraceParent, resourceFromAttributes, trace } = sdk;
  const exporter = new OTLPTraceExporter({
    url: `${settings.otlpEndpoint}/v1/traces`,
    headers: { ...settings.otlpHeaders },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor({
    exporter: reported(exporter, sdk),
    maxQueueSize: MAX_WAITING_SPANS,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: EXPORT_AFTER_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      ...settings.otelResourceAttributes,
      'service.name': settings.otelServiceName,
      'service.version': version(),
      'service.instance.id': randomUUID(),
      'docfetch.role': settings.role,
    }),
    sampler: samplerOf(settings, sdk),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('docfetch');
  return {
    begin(name, { kind, parent, link, attributes = {} }) {
      const context = parent === null ? null : parseTraceParent(parent);
      const linked = link == null ? null : parseTraceParent(link);
      const inTrace = context ? trace.setSpanContext(ROOT_CONTEXT, { ...context, isRemote: true }) : ROOT_CONTEXT;
      const links = linked ? [{ context: { ...linked, isRemote: true } }] : [];
      const options = { kind: SpanKind[kind], attributes: present(attributes), links };
      return spanOf(tracer.startSpan(name, options, inTrace), sdk);
    },
    close: () => provider.shutdown().catch(() => undefined), // reported
  };
}

function spanOf(span: SdkSpan, { SpanStatusCode }: Sdk): Span {
  const context = span.spanContext();
  return {
    traceId: context.traceId,
    traceparent: traceparentOf(context),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(present(attributes)),
    fail: (code) => void span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR }),
    end: () => span.end(),
  };
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

function present(attributes: SpanAttributes): Attributes {
  const given: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) if (value != null) given[name] = value;
  return given;
}

function samplerOf({ otelSampler, otelSamplerRatio }: Settings, sdk: Sdk): Sampler {
  const [kind, isParentBased] = [otelSampler.replace('parentbased_', ''), otelSampler.startsWith('parentbased_')];
  const root =
    kind === 'always_on'
      ? new sdk.AlwaysOnSampler()
      : kind === 'always_off'
        ? new sdk.AlwaysOffSampler()
        : new sdk.TraceIdRatioBasedSampler(otelSamplerRatio);
  return isParentBased ? new sdk.ParentBasedSampler({ root }) : root;
}

/** Logs once when spans cannot be exported, without the response of the collector. */
function reported(exporter: SpanExporter, { ExportResultCode }: Sdk): SpanExporter {
  const logger = new Logger('Tracing');
  const failures = new ErrorThrottle((error) => {
    const { name, code } = error as { name?: string; code?: unknown };
    logger.warn({ error: name, code }, 'Spans could not be exported: they are lost');
  });
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (Number(result.code) === Number(ExportResultCode.SUCCESS)) failures.succeeded();
        else failures.failed(result.error ?? new Error('The export failed.'));
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
