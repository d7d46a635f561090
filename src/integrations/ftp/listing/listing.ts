import { createHash } from 'node:crypto';
import type { Client, FileInfo } from 'basic-ftp';

/** The number of lines that are parsed per portion. */
const LINES_PER_PORTION = 500;
/** The part of a listing that identifies its folder. */
const HEAD_LENGTH = 64 * 1024;
/** Pure-FTPd: `226 Output truncated to 10000 matches`. */
const TRUNCATED = /\btruncated\b/i;

/**
 * The listing of one folder. FTP sends it completely and aborts slow readers, so it is kept while the files are downloaded, as the
 * received lines with one character per byte; entries are parsed in portions.
 */
export class FtpListing {
  static readonly EMPTY = new FtpListing('', () => [], false);
  /** The last line, appended to each portion, because the parser detects the format by it. */
  private readonly sample: string;
  private readonly extra: number;

  private constructor(
    private readonly text: string,
    private readonly parse: Client['parseList'],
    /** The server has reported that the listing is truncated. */
    readonly isTruncated: boolean,
  ) {
    this.sample = lastLineOf(text);
    this.extra = parse(this.sample).length;
  }

  /** Lists the client's current folder. Throws what listing throws, and for an unknown format. */
  static async of(client: Client): Promise<FtpListing> {
    const parse = client.parseList;
    const { socket } = client.ftp;
    let text = '';
    let answer = '';
    const onData = (words: Buffer | string): void => void (answer += words.toString());
    client.parseList = (whole) => {
      text = whole;
      return [];
    };
    // The client does not expose the response to a listing.
    socket.on('data', onData);
    try {
      await client.list();
    } finally {
      socket.off('data', onData);
      client.parseList = parse;
    }
    return new FtpListing(text, parse, TRUNCATED.test(answer));
  }

  /**
   * Identifies the folder, independent of its path. Undefined without the fact `unique` (RFC 3659 section 7.5.2), or when it is the
   * same for all entries.
   */
  get identity(): string | undefined {
    const head = this.text.slice(0, HEAD_LENGTH);
    let first: string | undefined;
    let areDifferent = false;
    for (const [line] of head.slice(0, head.lastIndexOf('\n') + 1).matchAll(/[^\r\n]+/g)) {
      const id = /^(?:\S*;)?unique=([^;\s]+);/i.exec(line)?.[1];
      if (id === undefined) return undefined;
      areDifferent ||= id !== (first ??= id);
    }
    return areDifferent ? this.contentDigest : undefined;
  }

  /** A digest of the listed names and facts, equal for one folder and for identical ones. */
  get contentDigest(): string {
    const head = this.text.slice(0, HEAD_LENGTH);
    return `${this.text.length} ${createHash('sha256').update(head, 'latin1').digest('base64')}`;
  }

  *portions(): Generator<FileInfo[]> {
    const { text, parse, sample, extra } = this;
    let start = 0;
    let lines = 0;
    for (let at = 0; at < text.length;) {
      const newline = text.indexOf('\n', at);
      at = newline < 0 ? text.length : newline + 1;
      if (++lines < LINES_PER_PORTION && at < text.length) continue;
      const entries = parse(`${text.slice(start, at)}\n${sample}`);
      yield entries.slice(0, entries.length - extra);
      [start, lines] = [at, 0];
    }
  }
}

function lastLineOf(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n'.includes(text.charAt(end - 1))) end--;
  return text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
}
