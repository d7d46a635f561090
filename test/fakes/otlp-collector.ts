import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

type Value = string | number | boolean;
type Attributes = Readonly<Record<string, Value>>;

/** A span as it was exported. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  /** In microseconds since 1970. */
  readonly startedAt: number;
  readonly attributes: Attributes;
  /** 2: failed. */
  readonly status: number;
  /** The ids of the linked spans. */
  readonly links: readonly string[];
  readonly resource: Attributes;
}

/** Receives traces by OTLP over HTTP in the binary format, by the field numbers of the protocol's definition. */
export class OtlpCollector {
  /** In the order in which they have begun; exports may arrive in another one. */
  readonly spans: CollectedSpan[] = [];
  readonly authorizations: (string | undefined)[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const isRight = request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf';
        if (!isRight) return response.writeHead(400).end();
        this.authorizations.push(request.headers.authorization);
        const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        this.spans.push(...spansOf(bytes));
        this.spans.sort((a, b) => a.startedAt - b.startedAt);
        return response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
  }

  static async start(): Promise<OtlpCollector> {
    const collector = new OtlpCollector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

/** A field of a message: a number, eight bytes, or a nested message or text. */
interface Field {
  readonly number: number;
  readonly bytes: Buffer;
  readonly integer: number;
}

function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(value);
    }
  };
  while (at < message.length) {
    const key = varint();
    const wire = key & 7;
    const integer = wire === 0 ? varint() : 0;
    const length = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : 0;
    if (![0, 1, 2, 5].includes(wire) || at + length > message.length) throw new Error(`Invalid wire type ${wire}.`);
    yield { number: key >> 3, bytes: message.subarray(at, at + length), integer };
    at += length;
  }
}

const nested = (message: Buffer, number: number): Buffer[] =>
  [...fieldsOf(message)].filter((field) => field.number === number).map(({ bytes }) => bytes);

function valueOf(message: Buffer): Value {
  const [field] = [...fieldsOf(message)];
  if (!field || field.number > 4) throw new Error('Not a simple value.');
  if (field.number === 1) return field.bytes.toString();
  if (field.number === 2) return field.integer === 1;
  return field.number === 3 ? field.integer : field.bytes.readDoubleLE();
}

const attributesOf = (pairs: readonly Buffer[]): Attributes =>
  Object.fromEntries(pairs.map((pair) => [nested(pair, 1)[0]!.toString(), valueOf(nested(pair, 2)[0]!)]));

function spansOf(request: Buffer): CollectedSpan[] {
  return nested(request, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(nested(nested(resourceSpans, 1)[0]!, 1));
    const spans = nested(resourceSpans, 2).flatMap((scopeSpans) => nested(scopeSpans, 2));
    return spans.map((span) => ({
      traceId: nested(span, 1)[0]!.toString('hex'),
      spanId: nested(span, 2)[0]!.toString('hex'),
      parentSpanId: nested(span, 4)[0]?.toString('hex') ?? '',
      name: nested(span, 5)[0]!.toString(),
      kind: [...fieldsOf(span)].find(({ number }) => number === 6)?.integer ?? 0,
      startedAt: Number(nested(span, 7)[0]!.readBigUInt64LE() / 1000n),
      attributes: attributesOf(nested(span, 9)),
      status:
        nested(span, 15)
          .flatMap((status) => [...fieldsOf(status)])
          .find(({ number }) => number === 3)?.integer ?? 0,
      links: nested(span, 13).map((link) => nested(link, 2)[0]!.toString('hex')),
      resource,
    }));
  });
}
