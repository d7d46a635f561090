import type { Response } from 'express';
import { PassThrough } from 'node:stream';
import { sendCsv } from './send-csv';

interface Row {
  readonly name: string;
  readonly count: number;
}

/** A response that keeps its headers and can be read. */
function fakeResponse(highWaterMark?: number) {
  const headers: Record<string, string> = {};
  const stream = new PassThrough({ highWaterMark });
  const response = Object.assign(stream, {
    setHeader(name: string, value: string) {
      headers[name] = value;
      return response;
    },
  });
  return { headers, stream, response: response as unknown as Response };
}

async function* rowsOf(...names: string[]): AsyncGenerator<Row> {
  for (const [count, name] of names.entries()) yield await Promise.resolve({ name, count });
}

const BOM = '\ufeff';

describe('A CSV file', () => {
  const sent = async (...names: string[]) => {
    const { headers, stream, response } = fakeResponse();
    const text = stream.toArray().then((parts) => Buffer.concat(parts as Buffer[]).toString('utf8'));
    await sendCsv<Row>(response, 'rows.csv', ['name', 'count'], rowsOf(...names));
    return { headers, text: await text };
  };

  it('has a header, CRLF after each row, and quotes where RFC 4180 needs them', async () => {
    const { headers, text } = await sent('Müller & Söhne', 'a,b', 'say "hi"', 'two\r\nlines');
    expect(text).toBe(`${BOM}name,count\r\nMüller & Söhne,0\r\n"a,b",1\r\n"say ""hi""",2\r\n"two\r\nlines",3\r\n`);
    expect(headers['Content-Type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['Content-Disposition']).toBe('attachment; filename="rows.csv"');
  });

  it('has only the header without rows', async () => {
    expect((await sent()).text).toBe(`${BOM}name,count\r\n`);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', '=HYPERLINK("http://evil.example","x")'])(
    'contains no formula: %j',
    async (name) => {
      const { text } = await sent(name);
      expect(text).toMatch(/\r\n"?'/);
    },
  );

  it('is read as fast as the receiver takes it', async () => {
    const { stream, response } = fakeResponse(1024);
    let read = 0;
    async function* endless(): AsyncGenerator<Row> {
      for (; ; read += 1) yield await Promise.resolve({ name: 'x'.repeat(100), count: read });
    }
    const sending = sendCsv<Row>(response, 'rows.csv', ['name', 'count'], endless());
    const failed = expect(sending).rejects.toThrow('the receiver has left');
    await new Promise((resolve) => stream.once('readable', resolve));
    // Nobody reads on: the buffers on the way are full.
    for (let last = -1; last !== read; await new Promise((resolve) => setImmediate(resolve))) last = read;
    expect(read).toBeLessThan(1000);
    stream.destroy(new Error('the receiver has left'));
    await failed;
  });

  it('sets no header when the first row fails, so that the error can be answered', async () => {
    const { headers, response } = fakeResponse();
    const rows = (async function* (): AsyncGenerator<Row> {
      await Promise.resolve();
      throw new Error('no database');
      yield { name: '', count: 0 };
    })();
    await expect(sendCsv<Row>(response, 'rows.csv', ['name', 'count'], rows)).rejects.toThrow('no database');
    expect(headers).toEqual({});
  });
});
