import { randomBytes } from 'node:crypto';
import { uuencode } from '../../../test/builders/mail-encoding';
import type { FakeGmail } from '../../../test/fakes/gmail/fake-gmail';
import type { GmailState } from '../../../test/fakes/gmail/gmail-state';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { useGmail } from '../../../test/harness/connectors/use-gmail';
import { invoiceMail, pdfBytes } from '../../../test/interop/imap/invoice-mails';
import { MAIL_SHAPES } from '../../../test/interop/imap/mail-shapes';
import { UnexpectedResponse, DocumentUnavailable, Transient } from '../core/source-errors';
import { gmail } from './gmail';

const { at, session, read, only, asked } = useGmail();
let server: FakeGmail;
let box: GmailState;
beforeEach(() => {
  ({ server, box } = at());
});

describe('An attachment', () => {
  const large = randomBytes(600_000);
  const pdf = pdfBytes('alt', 300_000);
  const isAttachment = (path: string) => path.includes('/attachments/');

  it('is opened by its current id when the listed one has expired', async () => {
    box.deliver(invoiceMail(['a.pdf', pdfBytes('a')]).build());
    const ref = await only();
    box.forgetAttachments();
    expect((await read(ref)).equals(pdfBytes('a'))).toBe(true);
    expect(asked(/\/attachments\//)).toHaveLength(2);
  });

  it('has the name in its type when Gmail reports a meaningless one', async () => {
    const { mail } = MAIL_SHAPES.find(({ title }) => title.endsWith('"Rechnung 4711"'))!;
    box.deliver(mail);
    expect((await only()).filename).toBe('Rechnung 4711.pdf');
  });

  it('is permanently unavailable when its mail is deleted', async () => {
    const id = box.deliver(invoiceMail('a.pdf').build());
    const ref = await only();
    box.delete(id);
    const error = await rejectionOf(read(ref));
    expect(error).toBeInstanceOf(DocumentUnavailable);
    expect((error as DocumentUnavailable).permanent).toBe(true);
  });

  it('uses constant memory, however large it is', async () => {
    const size = 24 * 1024 * 1024;
    box.deliver(invoiceMail(['groß.pdf', Buffer.alloc(size, 'x')]).build());
    const { stream } = await gmail.download(session(), await only());
    let got = 0;
    let largest = 0;
    for await (const part of stream) {
      got += (part as Buffer).length;
      largest = Math.max(largest, (part as Buffer).length);
    }
    expect(got).toBe(size);
    expect(largest).toBeLessThan(1024 * 1024);
  });

  it('resumes after a broken connection, also with an expired token', async () => {
    box.deliver(invoiceMail(['a.pdf', large]).build());
    const tokens = [server.authorization.tokens().access_token, server.authorization.tokens().access_token];
    const accessToken = (refusedToken?: string) => {
      if (refusedToken === tokens[0]) tokens.shift();
      return Promise.resolve(tokens[0]!);
    };
    const ref = await only({ accessToken });
    let cuts = 0;
    server.fault = ({ path }) => {
      if (!isAttachment(path) || cuts++ > 1) return undefined;
      if (cuts === 2) {
        server.authorization.expireAccessTokens();
        tokens[1] = server.authorization.tokens().access_token;
      }
      return { cutAfter: 200_000 * cuts };
    };
    expect((await read(ref, { accessToken })).equals(large)).toBe(true);
    expect(cuts).toBe(3);
  });

  it('fails when a part is missing or the response is not an attachment', async () => {
    box.deliver(invoiceMail(['a.pdf', large]).build());
    const ref = await only();
    const bytes = (json: string) => ({
      answer: { status: 200, bytes: Buffer.from(json), mimeType: 'application/json', headers: {} },
    });
    const cases = [
      [{ cutAfter: 200_000 }, Transient],
      [bytes('{"size": 5, "data": "JVBER'), Transient],
      [bytes('{"data": "no base64!"}'), DocumentUnavailable],
      [bytes('{"size": 5}'), UnexpectedResponse],
      [bytes('<html>'), UnexpectedResponse],
    ] as const;
    for (const [fault, expected] of cases) {
      server.fault = ({ path }) => (isAttachment(path) ? fault : undefined);
      expect([fault, await rejectionOf(read(ref))]).toEqual([fault, expect.any(expected)]);
    }
  });

  it.each([
    ['decoded where Gmail hands it on as it is', uuencode(pdf, 'a.pdf')],
    ['left as it is where Gmail has decoded it', pdf],
  ])('that is uuencoded by an old program is %s', async (_, content) => {
    const header = 'Subject: x\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: x-uuencode';
    const mail = `${header}\r\nContent-Type: application/pdf; name="a.pdf"\r\n\r\n`;
    box.deliver(Buffer.concat([Buffer.from(mail), content]));
    expect((await read(await only())).equals(pdf)).toBe(true);
  });

  it('that is empty fails without a request', async () => {
    box.deliver(invoiceMail(['leer.pdf', Buffer.alloc(0)]).build());
    const ref = await only();
    expect(await rejectionOf(read(ref))).toMatchObject({ permanent: true });
    expect(asked(/\/attachments\//)).toEqual([]);
  });
});
