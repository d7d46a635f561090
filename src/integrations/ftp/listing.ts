import { createHash } from 'node:crypto';
import type { Client, FileInfo } from 'basic-ftp';

/** Lines that become entries at once. */
const LINES_PER_PORTION = 500;
/** So much of a listing shows which folder it is of. */
const HEAD_LENGTH = 64 * 1024;
/** Pure-FTPd: `226 Output truncated to 10000 matches`. */
const TRUNCATED = /\btruncated\b/i;

/**
 * What a server has told of one folder. FTP tells all of it in one go, and gives up on whoever takes long to read it. So it is kept
 * while the files are fetched, as the lines that were sent, a byte a character; entries are made of them a portion at a time.
 */
export class FtpListing {
  static readonly EMPTY = new FtpListing('', () => [], false);
  /** Which way of writing lines it is shows in the last one: each portion is read with it in its end. */
  private readonly sample: string;
  private readonly extra: number;

  private constructor(
    private readonly text: string,
    private readonly parse: Client['parseList'],
    /** The server has told that there are more names than it lists. */
    readonly isTruncated: boolean,
  ) {
    this.sample = lastLineOf(text);
    this.extra = parse(this.sample).length;
  }

  /** Of the folder that the client is in. Throws what listing throws, and when it is written in no known way. */
  static async of(client: Client): Promise<FtpListing> {
    const parse = client.parseList;
    const { socket } = client.ftp;
    let text = '';
    let answer = '';
    const hear = (words: Buffer | string): void => void (answer += words.toString());
    client.parseList = (whole) => {
      text = whole;
      return [];
    };
    // The client keeps what is said about a listing to itself.
    socket.on('data', hear);
    try {
      await client.list();
    } finally {
      socket.off('data', hear);
      client.parseList = parse;
    }
    return new FtpListing(text, parse, TRUNCATED.test(answer));
  }

  /**
   * The same for one folder by whichever path it was reached, and another one for every other. Undefined where nothing tells: in a
   * listing without the fact `unique` (RFC 3659 section 7.5.2), or where that is one for all.
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

  /** The same for folders in which the same names are told with the same facts, whether they are one folder or several. */
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
