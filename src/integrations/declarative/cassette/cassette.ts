import Ajv from 'ajv';
import type { RunResult } from './run-provider';

/** A request as a cassette has it: without credentials, below the address of the API unless it goes to another host. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON of a POST. */
  readonly body?: unknown;
}

/** What a document was before a small one of the same type took its place. */
export interface RemovedDocument {
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** For an archive: the number of its files. */
  readonly files?: number;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the answer, with pseudonyms. */
  readonly json?: unknown;
  /** The document that was the answer, or in its JSON. */
  readonly document?: RemovedDocument;
}

export interface RecordedExchange {
  readonly request: RecordedRequest;
  readonly answer: RecordedAnswer;
}

/** What one run of a provider's file asked a provider, what the provider answered, and what the file made of it (docs/integrate/provider-language.md). */
export interface Cassette {
  readonly docfetch_cassette: 1;
  readonly provider: string;
  /** The version of the language of the file. */
  readonly language: number;
  /** The host that answered. */
  readonly host: string;
  /** A time of RFC 3339. */
  readonly recorded_at: string;
  readonly limits: { readonly documents: number; readonly downloads: number };
  /** The fields of the first step: placeholders of secrets, pseudonyms of others. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The members of answers with values in clear, and why. */
  readonly kept: Readonly<Record<string, string>>;
  readonly exchanges: readonly RecordedExchange[];
  readonly result: RunResult;
}

/** The form of a cassette, as far as a replay needs it. */
const SCHEMA = {
  type: 'object',
  required: [
    ...['docfetch_cassette', 'provider', 'language', 'host', 'recorded_at', 'limits', 'fields', 'kept'],
    ...['exchanges', 'result'],
  ],
  properties: {
    docfetch_cassette: { const: 1 },
    provider: { type: 'string' },
    language: { type: 'integer' },
    host: { type: 'string' },
    recorded_at: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$' },
    limits: {
      type: 'object',
      required: ['documents', 'downloads'],
      properties: { documents: { type: 'integer', minimum: 1 }, downloads: { type: 'integer', minimum: 0 } },
    },
    fields: { type: 'object' },
    kept: { type: 'object' },
    exchanges: {
      type: 'array',
      items: {
        type: 'object',
        required: ['request', 'answer'],
        properties: {
          request: {
            type: 'object',
            required: ['method', 'url'],
            properties: { method: { type: 'string' }, url: { type: 'string' }, headers: { type: 'object' } },
          },
          answer: {
            type: 'object',
            required: ['status', 'headers'],
            properties: {
              status: { type: 'integer', minimum: 100, maximum: 599 },
              headers: { type: 'object', additionalProperties: { type: 'string' } },
              document: { type: 'object', required: ['type'], properties: { type: { type: 'string' } } },
            },
          },
        },
      },
    },
    result: { type: 'object', required: ['account', 'streams'] },
  },
} as const;

/** The text is no cassette; the message says where. */
export class InvalidCassette extends Error {}

/** @throws InvalidCassette */
export function parseCassette(text: string): Cassette {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidCassette(`is no JSON: ${(error as Error).message}`);
  }
  const validate = new Ajv().compile<Cassette>(SCHEMA);
  if (validate(value)) return value;
  const [{ instancePath, message } = { instancePath: '', message: 'is wrong' }] = validate.errors ?? [];
  throw new InvalidCassette(`is no cassette: ${instancePath.slice(1).replaceAll('/', '.') || 'it'} ${message}`);
}

export const cassetteText = (cassette: Cassette): string => `${JSON.stringify(cassette, null, 2)}\n`;
