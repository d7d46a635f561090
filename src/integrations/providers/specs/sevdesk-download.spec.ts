import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { refused } from '../../../../test/fakes/sevdesk/sevdesk-endpoints';
import { rejectionOf } from '../../../../test/harness/rejection-of';
import { useSevdesk } from '../../../../test/harness/connectors/use-sevdesk';
import { DocumentUnavailable, Transient, UnexpectedResponse } from '../../core/source-errors';

const sevdesk = useSevdesk();

describe('Opening a sevdesk document', () => {
  const open = async () => {
    const opened = sevdesk.session();
    const [ref] = (await sevdesk.listed(opened)).documents;
    return sevdesk.download(opened, ref!);
  };

  it.each(['described', 'wrapped', 'raw'] as const)('returns its bytes, %s, and sends no mail', async (form) => {
    sevdesk.server.endpoints.pdfForm = form;
    const content = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(300_000)]);
    const entry = sevdesk.books.invoice({ number: 'RE-Ü 1', content });
    const { stream, filename, mimeType } = await open();
    expect(filename).toBe('RE-Ü 1.pdf');
    expect(mimeType).toBe('application/pdf');
    expect((await buffer(stream)).equals(content)).toBe(true);
    expect(entry.isSent).toBe(false);
  });

  it('uses constant memory, however large the document is', async () => {
    const size = 24 * 1024 * 1024;
    sevdesk.books.invoice({ content: Buffer.alloc(size, 'x') });
    const { stream } = await open();
    let read = 0;
    let largest = 0;
    for await (const part of stream) {
      read += (part as Buffer).length;
      largest = Math.max(largest, (part as Buffer).length);
    }
    expect(read).toBe(size);
    expect(largest).toBeLessThan(1024 * 1024);
  });

  it('reports the failure of one document for that document only', async () => {
    sevdesk.books.invoice();
    const answers = [
      [refused(400, 'Invoice was not found'), true],
      [refused(404, 'gone'), true],
      [refused(500, 'oops'), false],
    ] as const;
    for (const [answer, permanent] of answers) {
      sevdesk.server.fault = ({ path }) => (path.endsWith('/getPdf') ? { answer } : undefined);
      const error = await rejectionOf(open());
      expect(error).toBeInstanceOf(DocumentUnavailable);
      expect((error as DocumentUnavailable).permanent).toBe(permanent);
    }
  });

  it('fails for partial and invalid documents', async () => {
    sevdesk.books.invoice({ content: Buffer.alloc(500_000, 'x') });
    const isPdf = (path: string) => path.endsWith('/getPdf');
    const bytes = (json: string) => ({
      answer: { status: 200, bytes: Buffer.from(json), mimeType: 'application/json' },
    });
    const cases = [
      [{ cutAfter: 200_000 }, Transient],
      [bytes('{"mimeType":"application/pdf","content":"JVBER'), Transient],
      [bytes('{"content":""}'), DocumentUnavailable],
      [bytes('{"content":"no base64!"}'), DocumentUnavailable],
      [bytes('{"content":null}'), UnexpectedResponse],
      [bytes('<html>'), UnexpectedResponse],
    ] as const;
    for (const [fault, expected] of cases) {
      sevdesk.server.fault = ({ path }) => (isPdf(path) ? fault : undefined);
      const error = await rejectionOf(open().then(({ stream }) => buffer(stream)));
      expect([fault, error]).toEqual([fault, expect.any(expected)]);
    }
  });
});
