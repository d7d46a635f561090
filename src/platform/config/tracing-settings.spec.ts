import { problemsOf, PRODUCTION } from '../../../test/harness/settings-of-production';
import { Settings } from './settings';

const read = (env: NodeJS.ProcessEnv) => Settings.fromEnvironment({ ...PRODUCTION, ...env });

describe('The settings of traces', () => {
  it('are off without a collector, whatever else is set', () => {
    expect(read({ OTEL_SERVICE_NAME: 'documents', OTEL_TRACES_SAMPLER: 'always_on' }).otlpEndpoint).toBeNull();
  });

  it('are read like those of the OpenTelemetry SDK', () => {
    const settings = read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb%3D, x-team = documents',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_SERVICE_NAME: 'documents',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
    });
    expect(settings).toMatchObject({
      otlpEndpoint: 'https://collector.example:4318/otlp',
      otlpHeaders: { authorization: 'Bearer a,b=', 'x-team': 'documents' },
      otelServiceName: 'documents',
      otelResourceAttributes: { 'deployment.environment.name': 'staging' },
      otelSampler: 'traceidratio',
      otelSamplerRatio: 0.25,
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an absolute http or https address'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317', 'must be an absolute http or https address'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:hunter2@collector:4318', 'must be an absolute http or https address'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318?key=hunter2', 'must be an absolute http or https address'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2', 'must be a list like name=value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', '=hunter2', 'must be a list like name=value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=hunter2%2', 'must be a list like name=value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=hunter2%0d%0ax-evil: 1', 'must contain only characters'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'staging', 'must be a list like name=value'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'must be one of'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1', 'must be a number from 0 to 1'],
    ['OTEL_TRACES_SAMPLER_ARG', '10%', 'must be a number from 0 to 1'],
  ])('refuse %s=%s, with the name of the variable and without secrets', (variable, value, problem) => {
    const problems = problemsOf({ ...PRODUCTION, [variable]: value });
    expect(problems).toEqual([expect.stringContaining(`${variable} ${problem}`)]);
    expect(problems.join()).not.toContain('hunter2');
  });
});
