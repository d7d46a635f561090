import { refused } from '../../../test/fakes/microsoft-graph/answers';
import type { FakeMicrosoftGraph } from '../../../test/fakes/microsoft-graph/fake-microsoft-graph';
import type { FakeAttachment, MailState } from '../../../test/fakes/microsoft-graph/mail-state';
import { useMicrosoft } from '../../../test/harness/connectors/use-microsoft';
import { read } from '../../../test/interop/imap/mailbox-session';
import type { DocumentRef } from '../core/source-document';
import { DocumentUnavailable } from '../core/source-errors';
import { outlook } from './outlook';

const PIXELS = Buffer.alloc(3_000, 'pixels');
const LOGO: Partial<FakeAttachment> = { name: 'logo.png', contentType: 'image/png', content: PIXELS, isInline: true };
const html = (content: string) => ({ body: { contentType: 'html', content } as const });
const BODY = html(
  '<html><body><h1>Rechnung für Sie</h1><img src="cid:0@supplier.example"><img src="https://x.example/track.gif"></body></html>',
);

let server: FakeMicrosoftGraph;
let mailbox: MailState;
const { sources } = useMicrosoft(
  outlook,
  (started) => {
    server = started;
    mailbox = started.mailbox();
  },
  { step2: { take_texts: true } },
);
const textOf = async (ref: DocumentRef) => (await read(outlook, sources.open(), ref)).toString();

describe('The texts of mails in Outlook', () => {
  it('are documents only if enabled, then also those of existing mails', async () => {
    mailbox.deliver([LOGO], BODY);
    const before = await sources.list({ step2: {} });
    expect(before.documents).toEqual([]);
    expect((await sources.list({ step2: { take_texts: false } })).documents).toEqual([]);
    expect((await sources.listFrom(before)).names).toEqual(['Ihre Rechnung.html']);
  });

  it('become a self-contained, deterministic HTML document', async () => {
    mailbox.deliver([LOGO], { ...BODY, subject: 'Ihre Rechnung 77' });
    const { documents } = await sources.list();
    expect(server.requests.some((request) => request.includes('/attachments'))).toBe(false); // attachments are not read in advance
    expect(documents).toMatchObject([
      {
        filename: 'Ihre Rechnung 77.html',
        externalId: null,
        metadata: { source: { kind: 'mail', path: 'Posteingang', subject: 'Ihre Rechnung 77' } },
      },
    ]);
    expect((await outlook.download(sources.open(), documents[0]!)).mimeType).toBe('text/html');
    const text = await textOf(documents[0]!);
    expect(text).toContain('<title>Ihre Rechnung 77</title>');
    expect(text).toContain('<h1>Rechnung für Sie</h1>');
    expect(text).toContain(`data:image/png;base64,${PIXELS.toString('base64')}`);
    expect(text).not.toContain('x.example');
    expect(await textOf(documents[0]!)).toBe(text);
  });

  it('are taken from mails without documents that pass the filters', async () => {
    mailbox.deliver(['a.pdf'], { subject: 'Rechnung' });
    mailbox.deliver([], { subject: 'Urlaub' });
    const body = { contentType: 'text', content: 'Betrag: 5 < 6' } as const;
    mailbox.deliver([{ name: 'setup.exe', contentType: 'application/x-msdownload' }], { subject: 'Rechnung 2', body });
    const found = await sources.list({ step2: { take_texts: true, subject_filter: 'rechnung' } });
    expect(found.documents.map(({ filename }) => filename)).toEqual(['a.pdf', 'Rechnung 2.html']);
    expect(found.filteredBy).toEqual({ PATTERN: 1, TYPE: 1 });
    expect(await textOf(found.documents[1]!)).toContain('Betrag: 5 &lt; 6');
  });

  it('are the same document in every copy of the mail', async () => {
    mailbox.copy(mailbox.deliver([LOGO], BODY));
    const { keys } = await sources.list();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('omit unavailable images, and fail when their mail is deleted', async () => {
    const mail = mailbox.deliver([LOGO], BODY);
    const [ref] = (await sources.list()).documents;
    server.fault = ({ pathname }) => (pathname.endsWith('/$value') ? refused(404, 'ErrorItemNotFound') : undefined);
    expect(await textOf(ref!)).toContain('<h1>Rechnung für Sie</h1>');
    mailbox.remove(mail);
    const error: unknown = await outlook.download(sources.open(), ref!).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DocumentUnavailable);
    expect(error).toMatchObject({ permanent: true });
  });

  it('are rejected above the size limit', async () => {
    mailbox.deliver([], html(`<p>${'a'.repeat(2 * 1024 * 1024)}</p>`));
    const [ref] = (await sources.list()).documents;
    await expect(outlook.download(sources.open(), ref!)).rejects.toThrow(DocumentUnavailable);
  });
});
