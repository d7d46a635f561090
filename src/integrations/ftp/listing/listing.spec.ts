import { Client, type FileInfo } from 'basic-ftp';
import { FtpListing } from './listing';

/** A client whose server sends this listing; records the number of lines that are parsed per portion. */
class Told extends Client {
  readonly parsed: number[] = [];

  constructor(private readonly text: string) {
    super();
    const parse = this.parseList;
    this.parseList = (lines) => {
      this.parsed.push(lines.split('\n').filter((line) => line.trim() !== '').length);
      return parse(lines);
    };
  }

  override list(): Promise<FileInfo[]> {
    return Promise.resolve(this.parseList(this.text));
  }
}

const STYLES: Readonly<Record<string, (n: number) => string>> = {
  Unix: (n) => `-rw-r--r--   1 anna  users  ${1000 + n} Jan ${String(1 + (n % 28)).padStart(2)} 2026 Rechnung ${n}.pdf`,
  Windows: (n) => `01-${String(1 + (n % 28)).padStart(2, '0')}-26  10:15AM  ${1000 + n} Rechnung ${n}.pdf`,
  facts: (n) =>
    `type=file;size=${1000 + n};modify=202601${String(1 + (n % 28)).padStart(2, '0')}101500; Rechnung ${n}.pdf`,
};

async function entriesOf(client: Client): Promise<FileInfo[]> {
  return [...(await FtpListing.of(client)).portions()].flat();
}

describe('A listing', () => {
  describe.each(Object.entries(STYLES))('in the style of %s', (_, line) => {
    it.each([
      [1, '\r\n', '\r\n'],
      [499, '\r\n', ''],
      [500, '\n', '\n'],
      [501, '\r\n', '\r\n\r\n'],
      [1_000, '\r\n', ''],
      [1_234, '\n', '\r\n'],
    ])('of %i files has the same entries in portions as when parsed whole', async (count, lineBreak, end) => {
      const text = Array.from({ length: count }, (__, n) => line(n)).join(lineBreak) + end;
      const whole = await new Told(text).list();
      expect(whole).toHaveLength(count);
      expect(await entriesOf(new Told(text))).toEqual(whole);
    });
  });

  it('of 50,000 files is stored as lines, of which only one portion at a time is parsed', async () => {
    const client = new Told(Array.from({ length: 50_000 }, (_, n) => STYLES.Unix!(n)).join('\r\n'));
    const sizes = Array.from((await FtpListing.of(client)).portions(), (portion) => portion.length);
    expect(sizes).toEqual(Array<number>(100).fill(500));
    expect(Math.max(...client.parsed)).toBe(501); // including the line for the format detection
  });

  it.each(['', '\r\n'])('that is empty (%j) has no entries', async (text) => {
    expect(await entriesOf(new Told(text))).toEqual([]);
  });

  it('does not change the client', async () => {
    const client = new Told(STYLES.Unix!(1));
    const { parseList } = client;
    await FtpListing.of(client);
    expect(client.parseList).toBe(parseList);
    expect(await client.list()).toHaveLength(1);
  });
});

describe('The folder of a listing', () => {
  const identityOf = async (...lines: string[]) =>
    (await FtpListing.of(new Told(lines.map((line) => `${line}\r\n`).join('')))).identity;
  const line = (type: string, unique: string, name: string) =>
    `modify=20260304050607;type=${type};unique=${unique}; ${name}`;
  const files = Array.from({ length: 5_000 }, (_, n) => line('file', `1U${n}`, `Rechnung ${n}.pdf`));

  it('is identified by unique facts', async () => {
    const one = await identityOf(line('cdir', '1U1', '.'), line('dir', '1U2', 'a'));
    expect(one).toEqual(expect.any(String));
    expect(await identityOf(line('cdir', '1U1', '.'), line('dir', '1U2', 'a'))).toBe(one);
    expect(await identityOf(line('cdir', '1U2', '.'), line('dir', '1U3', 'a'))).not.toBe(one);
    const many = await identityOf(...files);
    expect(await identityOf(...files)).toBe(many);
    expect(await identityOf(...files.slice(1))).not.toBe(many);
  });

  it('is unknown when such facts are missing for one or all entries, or are equal for all', async () => {
    expect(await identityOf()).toBeUndefined();
    expect(await identityOf(STYLES.Unix!(1), STYLES.Unix!(2))).toBeUndefined();
    expect(await identityOf(line('cdir', '1U1', '.'), STYLES.facts!(1))).toBeUndefined();
    expect(await identityOf(line('cdir', '1U1', '.'), 'type=file;size=1; unique=1U2;')).toBeUndefined();
    expect(await identityOf(line('cdir', '0', '.'), line('dir', '0', 'a'))).toBeUndefined();
  });
});
