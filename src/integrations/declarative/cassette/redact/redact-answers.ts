import { hash } from 'node:crypto';
import { mimeTypeOf } from '../../../../documents/detection/mime-type';
import { ZipArchive } from '../../../shared/mail/containers/archives/zip-archive';
import type { RecordedAnswer, RemovedDocument } from '../cassette';
import type { RawExchange } from '../recording-network';
import type { NamedValues } from './named-values';
import { placeholderOf } from './placeholder-documents';
import type { Pseudonyms } from './pseudonyms';

/** Headers of answers that the run of a file reads, besides those that the file names. All others are left out. */
const HEADERS = ['content-type', 'link', 'location', 'retry-after'];
const BASE64 = /^[\w+/\n\r-]{16,}={0,2}\s*$/;
const COUNT = 'a number of records or pages';
const DATE_PART = 'a year, month or day';
/** Smaller numbers are parts of a date. */
const MOMENTS = 10_000;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Makes what a cassette contains of the answers of a provider. */
export class AnswerRedactor {
  /** The members with values in clear, and why. */
  readonly kept = new Map<string, string>();

  constructor(
    private readonly named: NamedValues,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  async redact({ status, headers, body }: RawExchange): Promise<RecordedAnswer> {
    const json = jsonOf(body, String(headers['content-type'] ?? ''));
    const answer = { status, headers: this.headers(headers) };
    if (json !== undefined) {
      const document = await this.embedded(json);
      const placeholder = document && placeholderOf(document).toString('base64');
      return {
        ...answer,
        json: this.value(json, { name: '', path: '', record: 'answer', placeholder }),
        ...(document && { document }),
      };
    }
    // Pages that explain an error may contain anything.
    if (body.length === 0 || status >= 300) return answer;
    return { ...answer, document: await removed(body, headers['content-type']) };
  }

  private headers(given: RawExchange['headers']): Record<string, string> {
    const wanted = Object.entries(given).filter(
      ([name, value]) => value !== undefined && [...HEADERS, ...this.named.headers].includes(name.toLowerCase()),
    );
    return Object.fromEntries(wanted.map(([name, value]) => [name, this.header(name, String(value))]));
  }

  private header(name: string, value: string): string {
    if (name === 'location') return this.pseudonyms.text(value);
    if (name === 'link') return value.replaceAll(/<([^>]*)>/g, (_, url: string) => `<${this.pseudonyms.text(url)}>`);
    if (name === 'content-type') return value.split(';')[0]!.trim();
    // How long to wait.
    return /^[\w:,. -]{1,40}$/.test(value) ? value : this.pseudonyms.text(value);
  }

  /** The document in the member that the file names, at any depth. */
  private async embedded(value: unknown): Promise<RemovedDocument | undefined> {
    if (this.named.base64.size === 0 || value === null || typeof value !== 'object') return undefined;
    for (const [name, member] of Object.entries(value)) {
      const found =
        typeof member === 'string' && this.named.base64.has(name) && BASE64.test(member)
          ? await removed(Buffer.from(member, 'base64'), undefined)
          : await this.embedded(member);
      if (found) return found;
    }
    return undefined;
  }

  private value(value: unknown, place: Place): unknown {
    if (typeof value === 'string') return this.text(value, place);
    if (typeof value === 'number') return this.number(value, place);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((element) => this.value(element, place));
    const entries = Object.entries(value);
    // Two answers with the same record have the same amounts.
    const [, id] = entries.find(([name, member]) => /^(?:id|uuid)$/i.test(name) && isScalar(member)) ?? [];
    const record = id === undefined ? place.record : String(id);
    return Object.fromEntries(
      entries.map(([name, member]) => {
        const own = this.memberName(name);
        const path = place.path === '' ? own : `${place.path}.${own}`;
        return [own, this.value(member, { ...place, name, path, record })];
      }),
    );
  }

  /** The name of a member is part of the form, unless it looks like a value. */
  private memberName(name: string): string {
    const isValue = /\d{4}|.@|[^\w$@.:/[\]-]/.test(name) && this.pseudonyms.reasonToKeep(name) === undefined;
    return isValue ? this.pseudonyms.text(name) : name;
  }

  private text(text: string, { name, path, record, placeholder }: Place): string {
    if (placeholder !== undefined && this.named.base64.has(name) && BASE64.test(text)) return placeholder;
    if (NUMBER.test(text)) {
      if (this.named.counts.has(path)) return this.keep(text, path, COUNT);
      if (this.named.amounts.has(name)) return this.pseudonyms.amount(text, record);
      if (this.named.times.has(name)) {
        if (Number(text) < MOMENTS) return this.keep(text, path, DATE_PART);
        return String(this.pseudonyms.dates.instant(Number(text)));
      }
    }
    const reason = this.pseudonyms.reasonToKeep(text);
    return reason === undefined ? this.pseudonyms.text(text) : this.keep(text, path, reason);
  }

  private number(value: number, { name, path, record }: Place): number {
    const text = String(value);
    if (this.named.counts.has(path)) return this.keep(value, path, COUNT);
    if (this.named.amounts.has(name) && NUMBER.test(text)) return Number(this.pseudonyms.amount(text, record));
    if (this.named.times.has(name) && value < MOMENTS) return this.keep(value, path, DATE_PART);
    if (this.named.times.has(name)) return this.pseudonyms.dates.instant(value);
    if (this.named.words.has(text)) return this.keep(value, path, 'named by the file');
    return this.pseudonyms.number(value);
  }

  private keep<T>(value: T, path: string, reason: string): T {
    this.kept.set(path, reason);
    return value;
  }
}

/** Where a value is in an answer. */
interface Place {
  /** The name of its member. */
  readonly name: string;
  /** The names that lead to it, without places in lists. */
  readonly path: string;
  /** Identifies the record that it belongs to. */
  readonly record: string;
  /** The base64 of what takes the place of a document. */
  readonly placeholder: string | undefined;
}

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

function jsonOf(body: Buffer, type: string): unknown {
  if (!/json/i.test(type) && !/^\s*(?:[[{]|\d{1,20}\s*$)/.test(body.subarray(0, 30).toString('latin1')))
    return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function removed(bytes: Buffer, stated: string | undefined): Promise<RemovedDocument> {
  const type = await mimeTypeOf(bytes, '', stated);
  const zip = type === 'application/zip' ? await ZipArchive.open(bytes).catch(() => undefined) : undefined;
  return {
    type,
    size: bytes.length,
    sha256: hash('sha256', bytes),
    ...(zip && { files: zip.entries.length }),
  };
}
