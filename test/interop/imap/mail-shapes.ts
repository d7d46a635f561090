import { aMail } from '../../builders/mail-builder';
import type { NameStyle } from '../../builders/mail-names';
import { invoiceMail, pdfBytes } from './invoice-mails';

/** A real-world mail, and the expected documents: names and exact bytes. */
export interface MailShape {
  readonly title: string;
  readonly mail: Buffer;
  readonly documents: readonly { readonly name: string; readonly content: Buffer | 'unchecked' }[];
}

const UMLAUTS = 'Rechnung für Müller & Söhne – 4711.pdf';
const STYLES: readonly NameStyle[] = ['rfc2231', 'rfc2231-continued', 'fallback', 'rfc2047', 'raw-utf8'];
const PDF = pdfBytes('shape', 5_000);
const pdf = { content: PDF, mimeType: 'application/pdf' } as const;
const XML = '<?xml version="1.0" encoding="UTF-8"?>\r\n<Invoice>Äpfel = 3 \t\r\n</Invoice>\r\n';
const lines = (...text: string[]): Buffer => Buffer.from(text.join('\r\n'), 'latin1');

/** Cases that run against every IMAP server of the tests, because each describes the same mail differently. */
export const MAIL_SHAPES: readonly MailShape[] = [
  ...STYLES.flatMap((nameStyle) =>
    (['both', 'disposition', 'type'] as const).map((nameIn) => ({
      title: `a name as ${nameStyle} in ${nameIn}`,
      mail: aMail()
        .attach({ ...pdf, filename: UMLAUTS, nameStyle, nameIn })
        .build(),
      documents: [{ name: UMLAUTS, content: PDF }],
    })),
  ),
  {
    title: 'a name in raw Latin-1',
    mail: aMail()
      .attach({ ...pdf, filename: UMLAUTS.replace('–', '-'), nameStyle: 'raw-latin1' })
      .build(),
    documents: [{ name: UMLAUTS.replace('–', '-'), content: PDF }],
  },
  ...['Rechnung 4711', ''].map((filename) => ({
    title: `a name of the attachment that does not tell what it is: "${filename}"`,
    mail: lines(
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: application/octet-stream; name="Rechnung 4711.pdf"',
      `Content-Disposition: attachment; filename="${filename}"`,
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERg==',
      '--x--',
    ),
    documents: [{ name: 'Rechnung 4711.pdf', content: Buffer.from('%PDF') }],
  })),
  {
    title: 'no name and no disposition',
    mail: aMail()
      .subject('Rechnung März')
      .attach({ ...pdf, disposition: null })
      .build(),
    documents: [{ name: 'Rechnung März.pdf', content: PDF }],
  },
  {
    title: 'nothing but a PDF',
    mail: aMail()
      .attach({ ...pdf, filename: 'a.pdf' })
      .bare()
      .build(),
    documents: [{ name: 'a.pdf', content: PDF }],
  },
  {
    title: 'an XML in quoted-printable and one in 8bit',
    mail: aMail()
      .attach({ content: XML, mimeType: 'text/xml', filename: 'a.xml', encoding: 'quoted-printable' })
      .attach({ content: XML, mimeType: 'application/octet-stream', filename: 'b.xml', encoding: '8bit' })
      .build(),
    documents: [
      { name: 'a.xml', content: Buffer.from(XML) },
      { name: 'b.xml', content: Buffer.from(XML) },
    ],
  },
  {
    title: 'a logo in the text beside an attachment',
    mail: aMail()
      .html('<img src="cid:logo">')
      .inline({ content: pdfBytes('png', 90_000), mimeType: 'image/png', filename: 'logo.png', contentId: 'logo' })
      .attach({ ...pdf, filename: 'a.pdf' })
      .build(),
    documents: [{ name: 'a.pdf', content: PDF }],
  },
  {
    title: 'a forwarded mail with attachments, and one that is nothing but a PDF',
    mail: aMail()
      .forward(invoiceMail(['innen.pdf', PDF]), 'weitergeleitet.eml')
      .forward(
        aMail()
          .attach({ ...pdf, filename: 'allein.pdf' })
          .bare(),
      )
      .attach({ ...pdf, filename: 'aussen.pdf' })
      .build(),
    documents: [
      { name: 'innen.pdf', content: PDF },
      { name: 'allein.pdf', content: PDF },
      { name: 'aussen.pdf', content: PDF },
    ],
  },
  {
    title: 'a mail forwarded three times',
    mail: aMail()
      .forward(aMail().forward(aMail().forward(invoiceMail(['tief.pdf', PDF]))))
      .build(),
    documents: [{ name: 'tief.pdf', content: PDF }],
  },
  {
    title: 'attachments deep in multiparts',
    mail: aMail()
      .multipart('mixed', aMail().multipart('related', invoiceMail(['a.pdf', PDF], ['b.pdf', PDF])))
      .build(),
    documents: [
      { name: 'a.pdf', content: PDF },
      { name: 'b.pdf', content: PDF },
    ],
  },
  {
    title: 'two attachments of the same name, size and content',
    mail: invoiceMail(['a.pdf', PDF], ['a.pdf', PDF]).build(),
    documents: [
      { name: 'a.pdf', content: PDF },
      { name: 'a (2).pdf', content: PDF },
    ],
  },
  {
    title: 'a missing last boundary',
    mail: invoiceMail(['a.pdf', PDF]).malformed('unclosed').build(),
    documents: [{ name: 'a.pdf', content: PDF }],
  },
  {
    title: 'no header but that of its content',
    mail: invoiceMail(['a.pdf', PDF]).malformed('headerless').build(),
    documents: [{ name: 'a.pdf', content: PDF }],
  },
  {
    title: 'the end cut off in the middle of an attachment',
    mail: invoiceMail(['a.pdf', PDF]).malformed('truncated').build(),
    documents: [{ name: 'a.pdf', content: 'unchecked' }],
  },
  {
    title: 'letters that do not belong into base64',
    mail: invoiceMail(['a.pdf', PDF]).malformed('bad-base64').build(),
    documents: [{ name: 'a.pdf', content: 'unchecked' }],
  },
  {
    title: 'headers that are none, and an unknown character set',
    mail: lines(
      'Subject: =?x-klingon?B?####?= =?utf-8?Q?=C3',
      'From: @@@ <<>> ,,, ;',
      'Message-ID: <<>',
      'no header at all',
      'Content-Type: multipart/mixed; boundary=x; boundary="y',
      '',
      '--x',
      'Content-Type: application/pdf; name="a.pdf"',
      'Content-Transfer-Encoding: BASE64',
      '',
      'JVBERg==',
      '--x--',
    ),
    documents: [{ name: 'a.pdf', content: Buffer.from('%PDF') }],
  },
];
