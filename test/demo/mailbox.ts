import { createHash, randomBytes } from 'node:crypto';
import { ciiInvoice, logoPng, pdfInvoice, ublInvoice, zugferdInvoice } from '../builders/invoice-documents';
import { aMail, type MailBuilder } from '../builders/mail-builder';
import { FakeImapServer } from '../fakes/imap/fake-imap-server';

const PDF = 'application/pdf';
const XML = 'application/xml';
const USER = 'invoices@muster.example';

/** A document of the mailbox that has to arrive. */
export interface ExpectedDocument {
  readonly filename: string;
  readonly sha256: string;
}

interface Sample {
  readonly filename: string;
  readonly mimeType: string;
  readonly content: Buffer;
}

/** A mailbox on an IMAP server in this process, with realistic invoices. */
export class Mailbox {
  readonly expected: ExpectedDocument[] = [];
  private mails = 0;

  private constructor(
    private readonly server: FakeImapServer,
    private readonly password: string,
  ) {}

  static async open(): Promise<Mailbox> {
    const password = randomBytes(12).toString('base64url');
    const server = await FakeImapServer.start({ users: [{ user: USER, password }], folders: ['Rechnungen', 'Archiv'] });
    const mailbox = new Mailbox(server, password);
    await mailbox.fill();
    return mailbox;
  }

  /** The step-1 input of a user. */
  get credentials(): Record<string, string | number> {
    const { host, port } = this.server;
    return { host, port, security: 'NONE', user: USER, password: this.password };
  }

  get size(): number {
    return this.mails;
  }

  /** Delivers the mail that arrives after the first fetch. */
  async deliverAnother(): Promise<void> {
    const content = await zugferdInvoice({
      number: 'HP-2026-0815',
      date: '2026-11-19',
      amount: '59.50',
      supplier: 'Hafenpost AG',
    });
    const sample = { filename: 'HP-2026-0815.pdf', mimeType: PDF, content };
    this.deliver(
      aMail().from('billing@hafenpost.example', 'Hafenpost AG').subject('HP-2026-0815').attach(sample),
      sample,
    );
  }

  /** Closes its connections. Rejects when the mail server itself has failed. */
  stop(): Promise<void> {
    return this.server.stop();
  }

  private async fill(): Promise<void> {
    const plain = {
      filename: 'Rechnung für März – Müller & Söhne.pdf',
      mimeType: PDF,
      content: await pdfInvoice({ number: 'R-2026-0301', date: '2026-03-02', amount: '1190.00' }),
    };
    this.deliver(
      aMail().from('rechnung@mueller.example', 'Müller & Söhne').subject('Ihre Rechnung für März').attach(plain),
      plain,
    );

    const zugferd = {
      filename: 'ZUGFeRD-2026-0402.pdf',
      mimeType: PDF,
      content: await zugferdInvoice({
        number: 'ZF-2026-0402',
        date: '2026-04-02',
        amount: '238.00',
        supplier: 'Nordlicht Energie GmbH',
      }),
    };
    const html = '<p><img src="cid:logo"> Ihre Rechnung liegt bei.</p>';
    // The logo is part of the text: it is not a document and must not arrive.
    const logo = { filename: 'logo.png', mimeType: 'image/png', content: logoPng(), contentId: 'logo' };
    this.deliver(aMail().subject('Ihre Rechnung ZF-2026-0402').html(html).inline(logo).attach(zugferd), zugferd);

    const ubl = {
      filename: 'XRechnung-UBL-X-17.xml',
      mimeType: XML,
      content: ublInvoice({
        number: 'X-17',
        date: '2026-05-11',
        amount: '4760.00',
        supplier: 'Kontor IT Service GmbH',
      }),
    };
    this.deliver(aMail().subject('XRechnung X-17').attach(ubl), ubl);

    const cii = {
      filename: 'XRechnung-CII-C-88.xml',
      mimeType: XML,
      content: ciiInvoice({ number: 'C-88', date: '2026-06-30', amount: '89.90', supplier: 'Papierhaus Weiß e.K.' }),
    };
    const credit = {
      filename: 'Gutschrift-G-5.xml',
      mimeType: XML,
      content: ublInvoice({ type: 381, number: 'G-5', date: '2026-07-03', amount: '119.00', precedingInvoice: 'X-17' }),
    };
    this.deliver(aMail().subject('Rechnung C-88 und Gutschrift G-5').attach(cii).attach(credit), cii, credit);

    const nested = {
      filename: 'Invoice 2026-08.pdf',
      mimeType: PDF,
      content: await pdfInvoice({ number: '2026-08', date: '2026-08-01', amount: '17.85', supplier: 'Cloudhost Ltd' }),
    };
    const original = aMail().from('billing@cloudhost.example', 'Cloudhost Ltd').subject('Your invoice').attach(nested);
    this.deliver(
      aMail().from('anna@muster.example', 'Anna Muster').subject('Fwd: Your invoice').forward(original),
      nested,
    );

    this.deliver(aMail().subject('Lunch on Friday?').text('A mail without any document.'));
  }

  private deliver(mail: MailBuilder, ...documents: Sample[]): void {
    this.server.append('INBOX', mail.pieces());
    this.mails++;
    for (const { filename, content } of documents) {
      this.expected.push({ filename, sha256: createHash('sha256').update(content).digest('hex') });
    }
  }
}
