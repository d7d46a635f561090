import { nameParts } from './part-names';
import type { MailNode } from './mail-node';
import { attachedParts } from './parts';

const node = (type: string, more: Partial<MailNode> = {}): MailNode => ({
  type,
  encoding: 'base64',
  size: 9_000,
  ...more,
});
const named = (type: string, filename: string, more: Partial<MailNode> = {}): MailNode =>
  node(type, { disposition: 'attachment', dispositionParameters: { filename }, ...more });
const multi = (subtype: string, ...childNodes: MailNode[]): MailNode => ({ type: `multipart/${subtype}`, childNodes });
const forwarded = (body: MailNode): MailNode => ({ type: 'message/rfc822', childNodes: [body] });
const text = node('text/plain', { encoding: '7bit' });
const html = node('text/html', { encoding: '7bit' });

const documentParts = (structure: MailNode) => attachedParts(structure).parts;
const found = (structure: MailNode): string[] =>
  documentParts(structure).map((part) => `${part.section} ${part.kind.mimeType}`);
const taken = (part: MailNode, body = text): boolean => found(multi('mixed', body, part)).length === 1;

describe('documentParts', () => {
  it.each([
    ['application/pdf', 'a.pdf'],
    ['application/octet-stream', 'a.PDF'],
    ['application/x-download', 'Rechnung.pdf'],
    ['text/plain', 'a.pdf'],
    ['application/xml', 'xrechnung.xml'],
    ['text/xml', 'a.xml'],
    ['application/vnd.oasis.ubl+xml', 'xrechnung'],
    ['application/octet-stream', 'factur-x.xml'],
    ['image/jpeg', 'IMG_1.jpg'],
    ['application/octet-stream', 'beleg.heic'],
    ['application/x-zip-compressed', 'rechnungen.zip'],
    ['application/pkcs7-mime', 'smime.p7m'],
    ['application/octet-stream', 'a.pdf.p7m'],
    ['application/ms-tnef', 'winmail.dat'],
    ['application/octet-stream', 'WINMAIL.DAT'],
    ['application/x-microsoft-rpmsg-message', 'message_v2.rpmsg'],
    ['application/octet-stream', 'message.rpmsg'],
    ['text/html', 'a.pdf'],
    ['text/html', 'a.xml'],
    ['application/vnd.ms-outlook', 'Nachricht'],
    ['application/octet-stream', 'Nachricht.msg'],
    ['application/gzip', 'a.tar.gz'],
    ['application/octet-stream', 'a.tgz'],
    ['application/x-tar', 'a'],
    ['application/octet-stream', 'a.7z'],
  ])('includes %s named %s', (type, name) => expect(taken(named(type, name))).toBe(true));

  it.each([
    ['application/pkcs7-signature', 'a.pdf'],
    ['application/x-pkcs7-certificates', 'a.xml'],
    ['text/calendar', 'a.xml'],
    ['text/html', 'a.html'],
    ['text/html', ''],
    ['application/octet-stream', 'a.exe'],
    ['application/octet-stream', 'a.docx'],
    ['application/msword', 'a.zipx'],
    ['application/x-unheard-of', 'a.dat'],
  ])('lets the content decide on %s named %s', (type, name) =>
    expect(found(multi('mixed', text, named(type, name)))).toEqual(['2 application/x-unconfirmed']),
  );

  it.each([
    ['application/pkcs7-signature', 'smime.p7s'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'a.docx'],
    ['text/calendar', 'invite.ics'],
    ['application/applefile', 'a.pdf'],
    ['video/mp4', 'a.dat'],
    ['image/svg+xml', 'logo.svg'],
  ])('excludes %s named %s', (type, name) => expect(taken(named(type, name))).toBe(false));

  it.each<[what: string, filename: string, name: string, called: string]>([
    ['has no extension', 'Rechnung 4711', 'Rechnung 4711.pdf', 'Rechnung 4711.pdf'],
    ['is empty', '', 'Rechnung 4711.pdf', 'Rechnung 4711.pdf'],
    ['is blank', ' ', 'Rechnung 4711.pdf', 'Rechnung 4711.pdf'],
    ['tells something else', 'Rechnung.dat', 'Rechnung.pdf', 'Rechnung.pdf'],
    ['tells enough', 'Rechnung.pdf', 'attachment', 'Rechnung.pdf'],
    ['tells enough, too', 'Rechnung.pdf', 'Invoice.pdf', 'Rechnung.pdf'],
    ['ends with a dot', 'Rechnung.pdf.', '', 'Rechnung.pdf'],
  ])('uses the name of the type when the name of the attachment %s', (_what, filename, name, called) => {
    const part = named('application/octet-stream', filename, { parameters: { name } });
    const parts = documentParts(multi('mixed', text, part));
    expect(parts.map(({ kind }) => kind.mimeType)).toEqual(['application/pdf']);
    expect(nameParts(parts, 'Betreff')).toEqual([called]);
  });

  it.each([
    ['application/octet-stream', 'Rechnung.dat'],
    ['application/octet-stream', 'Rechnung 4711'],
    ['application/octet-stream', 'pdf'],
    ['application/octet-stream', 'ATT00001.bin'],
    ['application/octet-stream', 'Rechnung von example.org'],
    ['application/octet-stream', 'Rechnung 4711.123'],
    ['application/force-download', 'Rechnung_2026_sehr_lang.p'],
    ['application/octet-stream', ''],
  ])('identifies an attached %s named %j by its content', (type, name) => {
    expect(found(named(type, name))).toEqual(['1 application/octet-stream']);
    expect(found(named(type, name, { disposition: 'inline' }))).toEqual(['1 application/x-unconfirmed']);
  });

  it.each([{ name: 'Rechnung.dat' }, { name: 'Rechnung 4711' }, undefined])(
    'identifies a file without disposition by its content: one with %j',
    (parameters) => {
      const file = (more?: Partial<MailNode>) =>
        node('application/octet-stream', { ...(parameters && { parameters }), ...more });
      expect(found(multi('mixed', text, file()))).toEqual(['2 application/octet-stream']);
      expect(found(file())).toEqual(['1 application/octet-stream']);
      expect(found(multi('related', html, file()))).toEqual(['2 application/x-unconfirmed']);
      expect(found(multi('mixed', html, file({ id: '<logo>' })))).toEqual(['2 application/x-unconfirmed']);
    },
  );

  it('includes a PDF without a name, inline or not', () => {
    expect(
      found(multi('mixed', text, node('application/pdf'), node('application/pdf', { disposition: 'inline' }))),
    ).toEqual(['2 application/pdf', '3 application/pdf']);
  });

  it.each<[string, boolean, (image: (more?: Partial<MailNode>) => MailNode) => MailNode]>([
    ['attached', true, (image) => image({ disposition: 'attachment' })],
    [
      'attached, with a Content-ID as Gmail gives to all',
      true,
      (image) => image({ disposition: 'attachment', id: '<1>' }),
    ],
    ['small and inline', false, (image) => image({ disposition: 'inline' })],
    ['small and without disposition', false, (image) => image()],
    ['a photo, inline', true, (image) => image({ disposition: 'inline', size: 900_000 })],
    ['a photo referred to by the text', false, (image) => image({ disposition: 'inline', size: 900_000, id: '<1>' })],
    ['a logo in multipart/related', false, (image) => multi('related', html, image({ size: 900_000 }))],
    [
      'a logo called attachment in multipart/related',
      false,
      (image) => multi('related', html, image({ disposition: 'attachment', id: '<1>' })),
    ],
    ['attached in multipart/related', true, (image) => multi('related', html, image({ disposition: 'attachment' }))],
  ])('an image that is %s: %s', (_, expected, place) => {
    expect(
      taken(
        place((more = {}) => node('image/png', more)),
        multi('alternative', text, html),
      ),
    ).toBe(expected);
  });

  it.each<[what: string, expected: boolean, part: MailNode]>([
    ['a photo', true, node('image/jpeg', { disposition: 'inline', size: 400_000, id: '<17@phone>' })],
    ['a small image', false, node('image/png', { disposition: 'inline', id: '<1>' })],
    [
      'a photo that is forwarded',
      true,
      forwarded(multi('mixed', text, node('image/jpeg', { size: 400_000, id: '<1>' }))),
    ],
  ])('ignores a Content-ID that no HTML can reference: %s, %s', (_what, expected, part) => {
    expect(taken(part)).toBe(expected);
  });

  it('applies a Content-ID within a mail, not across mails', () => {
    const photo = node('image/jpeg', { disposition: 'inline', size: 400_000, id: '<1>' });
    expect(found(multi('mixed', text, photo, forwarded(html)))).toEqual(['2 image/jpeg']);
    expect(found(multi('mixed', html, forwarded(multi('mixed', text, photo))))).toEqual(['2.2 image/jpeg']);
  });

  it('includes the encrypted part of PGP/MIME, but not its version, a signature or a key', () => {
    const version = node('application/pgp-encrypted', { encoding: '7bit' });
    const inline = { disposition: 'inline', dispositionParameters: { filename: 'encrypted.asc' } };
    const mail = multi('encrypted', version, node('application/octet-stream', inline));
    expect(found(mail)).toEqual(['2 application/pgp-encrypted']);
    expect(taken(named('application/pgp-signature', 'signature.asc'))).toBe(false);
    expect(taken(named('application/pgp-keys', 'key.asc'))).toBe(false);
  });

  it('includes every fax', () => {
    expect(taken(node('image/tiff', { disposition: 'inline', size: 20_000, id: '<1>' }), html)).toBe(true);
  });

  it('includes the file of multipart/appledouble, but not its resource fork', () => {
    const fork = named('application/applefile', 'Rechnung.pdf');
    const mail = multi('mixed', text, multi('appledouble', fork, named('application/pdf', 'Rechnung.pdf')));
    expect(found(mail)).toEqual(['2.2 application/pdf']);
  });

  it('excludes the XML variant of a text', () => {
    expect(found(multi('alternative', text, node('text/xml')))).toEqual([]);
    expect(found(multi('alternative', text, node('application/pdf')))).toEqual(['2 application/pdf']);
  });

  it('counts sections as the server does', () => {
    const pdf = named('application/pdf', 'a.pdf');
    expect(found(pdf)).toEqual(['1 application/pdf']);
    expect(found(multi('mixed', multi('alternative', text, text), pdf))).toEqual(['2 application/pdf']);
    expect(found(multi('mixed', text, multi('mixed', text, pdf)))).toEqual(['2.2 application/pdf']);
    expect(found(multi('mixed', text, forwarded(pdf)))).toEqual(['2.1 application/pdf']);
    expect(found(multi('mixed', text, forwarded(multi('mixed', text, pdf))))).toEqual(['2.2 application/pdf']);
    expect(found(multi('mixed', text, forwarded(forwarded(pdf))))).toEqual(['2.1.1 application/pdf']);
    expect(found(forwarded(multi('mixed', text, pdf)))).toEqual(['1.2 application/pdf']);
  });

  it('opens a forwarded mail as a whole when it is encoded and looks empty', () => {
    const encoded = (encoding: string, ...inside: MailNode[]): MailNode => ({
      ...forwarded(multi('mixed', text, ...inside)),
      encoding,
    });
    const pdf = named('application/pdf', 'a.pdf');
    for (const encoding of ['base64', 'BASE64', 'quoted-printable', 'x-uuencode']) {
      expect(found(multi('mixed', text, encoded(encoding)))).toEqual(['2 message/rfc822']);
      // Some servers decode it.
      expect(found(multi('mixed', text, encoded(encoding, pdf)))).toEqual(['2.2 application/pdf']);
    }
    const misread = { ...forwarded(node('/')), encoding: 'quoted-printable' };
    expect(found(multi('mixed', text, misread))).toEqual(['2 message/rfc822']);
    for (const encoding of ['7bit', '8BIT', ' binary', '8-bit']) expect(found(encoded(encoding))).toEqual([]);
  });

  it('tolerates an endlessly nested mail', () => {
    let bomb: MailNode = named('application/pdf', 'a.pdf');
    for (let n = 0; n < 5_000; n++) bomb = n % 2 ? forwarded(bomb) : multi('mixed', bomb);
    expect(found(multi('mixed', named('application/pdf', 'b.pdf'), bomb))).toEqual(['1 application/pdf']);
  });
});

describe('nameParts', () => {
  const names = (subject: string, ...nodes: MailNode[]): string[] =>
    nameParts(documentParts(multi('mixed', ...nodes)), subject);
  const bare = node('application/pdf');

  it.each([
    ['Rechnung.pdf', 'Rechnung.pdf'],
    ['=?utf-8?B?UmVjaG51bmcgZsO8ciBNw6RyenQucGRm?=', 'Rechnung für Märzt.pdf'],
    ['../../etc/passwd.pdf', '_.._etc_passwd.pdf'],
    ['C:\\temp\\a.pdf', 'C_temp_a.pdf'],
    ['a\u202efdp.exe.pdf', 'afdp.exe.pdf'],
    ['Rechnung', 'Rechnung.pdf'],
    ['Rechnung Nr. 12', 'Rechnung Nr. 12.pdf'],
    ['   .pdf  ', 'pdf.pdf'],
  ])('makes a file name of %j', (given, name) => {
    expect(names('Betreff', named('application/pdf', given))).toEqual([name]);
  });

  it('generates a meaningful name when there is none, and makes names unique', () => {
    expect(names('Ihre Rechnung 4711', bare, bare, node('text/xml', { disposition: 'attachment' }))).toEqual([
      'Ihre Rechnung 4711.pdf',
      'Ihre Rechnung 4711 (2).pdf',
      'Ihre Rechnung 4711.xml',
    ]);
    expect(names('', bare)).toEqual(['document.pdf']);
    expect(names('Betreff', node('application/pdf', { description: 'Beleg.pdf' }))).toEqual(['Beleg.pdf']);
    expect(names('', named('application/pdf', 'a.pdf'), named('application/pdf', 'A.PDF'))).toEqual([
      'a.pdf',
      'A (2).PDF',
    ]);
  });

  it('shortens names and keeps their extension', () => {
    const [name = ''] = names('', named('application/pdf', `${'ä'.repeat(5_000)}.pdf`));
    expect(name).toMatch(/^ä+\.pdf$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(300);
  });
});
