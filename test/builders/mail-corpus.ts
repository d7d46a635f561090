import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { ZipFile } from 'yazl';
import { type AttachmentSpec, aMail, type MailBuilder } from './mail-builder';
import { msg, tnef } from './outlook-files';

/** A mail, with the leaves of its tree by name. A container that cannot be opened is a leaf, otherwise its files are. */
export interface CorpusMail {
  readonly message: Buffer;
  readonly leaves: ReadonlyMap<string, Buffer>;
  /** The names of the leaves that arrive as documents. */
  readonly documents: readonly string[];
  /** The number of leaves that cannot be read. */
  readonly failures: number;
}

type Build = (leaves: LeafBuilder) => MailBuilder | Promise<MailBuilder>;

/** Registers leaves, each with content of its own. */
class LeafBuilder {
  readonly all = new Map<string, Buffer>();
  readonly documents: string[] = [];
  failures = 0;

  /** A PDF that arrives. */
  pdf(name: string): Buffer {
    return this.takes(name, Buffer.from(`%PDF-1.7\n${name}\n%%EOF\n`));
  }

  /** Something that arrives. */
  takes(name: string, content: Buffer): Buffer {
    this.documents.push(name);
    return this.other(name, content);
  }

  /** Something that does not arrive. */
  other(name: string, content: Buffer = Buffer.from(`no document: ${name}\n`)): Buffer {
    this.all.set(name, content);
    return content;
  }

  fails(name: string, content: Buffer): Buffer {
    this.failures += 1;
    return this.other(name, content);
  }
}

const OCTETS = 'application/octet-stream';
const file = (filename: string, content: Buffer, mimeType = OCTETS): AttachmentSpec => ({
  filename,
  content,
  mimeType,
});
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function zip(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(content, name);
  archive.end();
  return buffer(archive.outputStream);
}

async function tar(files: Readonly<Record<string, Buffer>>, links: readonly string[] = []): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  for (const name of links) archive.entry({ name, type: 'symlink', linkname: 'elsewhere.pdf' });
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

const CORPUS: Readonly<Record<string, Build>> = {
  'an ordinary mail': (leaf) =>
    aMail()
      .text('Anbei')
      .html('<img src="cid:1">')
      .inline({ ...file('logo.png', leaf.other('logo', PNG), 'image/png'), contentId: '1' })
      .attach(file('a.pdf', leaf.pdf('a'), 'application/pdf'))
      .attach(file('b.docx', leaf.other('b'), DOCX))
      .attach(file('invite.ics', leaf.other('invite'), 'text/calendar'))
      .attach(file('smime.p7s', leaf.other('signature'), 'application/pkcs7-signature')),
  'a forwarded mail': (leaf) =>
    aMail().forward(
      aMail()
        .attach(file('a.pdf', leaf.pdf('a'), 'application/pdf'))
        .attach(file('b.docx', leaf.other('b'), DOCX)),
    ),
  'forwarded mails that are encoded': (leaf) => {
    const mail = (...names: string[]) => {
      const inner = aMail()
        .text('Grüße')
        .attach(file('x.docx', leaf.other(`${names[0]}.docx`), DOCX));
      for (const name of names) inner.attach(file(`${name}.pdf`, leaf.pdf(name), 'application/pdf'));
      return inner.build();
    };
    return aMail()
      .attach({ ...file('a.eml', mail('a', 'b'), 'message/rfc822'), encoding: 'base64' })
      .attach({ ...file('c.eml', mail('c'), 'message/rfc822'), encoding: 'quoted-printable' })
      .attach({ content: mail('d'), mimeType: 'message/rfc822', encoding: 'base64', disposition: null });
  },
  'files whose type or name is wrong': (leaf) =>
    aMail()
      .attach(file('html.pdf', leaf.pdf('html named PDF'), 'text/html'))
      .attach(file('portal.html', leaf.pdf('PDF called HTML'), 'text/html'))
      .attach(file('page.html', leaf.other('page', Buffer.from('<html><p>x</p></html>')), 'text/html'))
      .attach(file('a.dat', leaf.pdf('unheard of'), 'application/x-unheard-of'))
      .attach({ content: leaf.pdf('inline, unnamed'), mimeType: OCTETS, disposition: 'inline' })
      .attach(file('a.docx', leaf.pdf('PDF named DOCX')))
      .attach(file('a.exe', leaf.other('program')))
      .attach({ ...file('Rechnung.pdf', leaf.pdf('PDF called PNG'), 'image/png'), disposition: 'inline' })
      .attach(file('a.pdf', leaf.pdf('PDF called signature'), 'application/pkcs7-signature'))
      .attach(file('b.pdf', leaf.other('signature'), 'application/pkcs7-signature'))
      .attach(file('x.xml', leaf.takes('XML called HTML', Buffer.from('<?xml version="1.0"?><a/>')), 'text/html'))
      .attach(file('c.docx', leaf.takes('XML named DOCX', Buffer.from('<?xml version="1.0"?><b/>')), 'application/x-b'))
      .attach(file('drawing.svg', leaf.other('drawing', Buffer.from('<?xml version="1.0"?><svg/>'))))
      .attach({ content: leaf.other('nothing known'), mimeType: OCTETS })
      .attach(file('empty.bin', leaf.other('empty', Buffer.alloc(0)))),
  'named texts in attached mails': (leaf) => {
    const named = (name: string, content: Buffer, mimeType: string, more: Partial<AttachmentSpec> = {}) => ({
      ...file(name, content, mimeType),
      disposition: null,
      ...more,
    });
    const mail = (label: string) =>
      aMail()
        .text('Anbei')
        .html('<p>Anbei</p>')
        .attach(named('a.pdf', leaf.pdf(`${label}: PDF called HTML`), 'text/html'))
        .attach(named('b.pdf', leaf.pdf(`${label}: PDF called text`), 'text/plain', { disposition: 'inline' }))
        .attach(named('c.html', leaf.other(`${label}: page`, Buffer.from(`<p>${label}</p>`)), 'text/html'))
        .attach(named('d.txt', leaf.other(`${label}: text`), 'text/plain', { nameIn: 'type' }))
        .attach(file('e.pdf', leaf.pdf(`${label}: attached`), 'application/pdf'));
    return mail('outer')
      .attach(file('mail.eml', mail('file').forward(mail('inner')).build()))
      .attach({ ...file('encoded.eml', mail('encoded').build(), 'message/rfc822'), encoding: 'base64' });
  },
  'a named form of the text of attached mails': (leaf) => {
    const part = (type: string, filename: string, content: Buffer) =>
      `Content-Type: ${type}\r\nContent-Disposition: inline; filename=${filename}\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}`;
    const multipart = (subtype: string, parts: readonly string[]) =>
      `Content-Type: multipart/${subtype}; boundary=${subtype}\r\n\r\n` +
      parts.map((each) => `--${subtype}\r\n${each}\r\n`).join('') +
      `--${subtype}--\r\n`;
    const mail = (label: string): Buffer => {
      const form = leaf.other(`${label}: form`, Buffer.from(`<p>${label}</p>`));
      const forms = ['Content-Type: text/plain\r\n\r\nAnbei', part('text/html', 'page.html', form)];
      const document = part('application/pdf', 'a.pdf', leaf.pdf(label));
      return Buffer.from(multipart('mixed', [multipart('alternative', forms), document]));
    };
    return aMail()
      .attach(file('mail.eml', mail('file')))
      .attach({ ...file('encoded.eml', mail('encoded'), 'message/rfc822'), encoding: 'base64' });
  },
  'a zip archive': async (leaf) =>
    aMail().attach(
      file(
        'a.zip',
        await zip({
          'x/a.pdf': leaf.pdf('a'),
          'readme.txt': leaf.other('readme'),
          Beleg: leaf.pdf('unnamed'),
          Notiz: leaf.other('note'),
          '__MACOSX/._a.pdf': leaf.other('resource fork'),
          'empty.pdf': leaf.other('empty', Buffer.alloc(0)),
          'inner.zip': leaf.takes('inner', await zip({ 'x.pdf': Buffer.from('%PDF-') })),
          'mail.eml': aMail()
            .attach(file('c.pdf', leaf.pdf('mailed')))
            .attach(file('d.docx', leaf.other('d')))
            .build(),
        }),
      ),
    ),
  'other archives': async (leaf) =>
    aMail()
      .attach(file('a.tar', await tar({ 'a/a.pdf': leaf.pdf('a'), 'b.txt': leaf.other('b') }, ['c.pdf'])))
      .attach(file('d.tar.gz', gzipSync(await tar({ 'd.pdf': leaf.pdf('d'), 'e.txt': leaf.other('e') }))))
      .attach(file('f.tgz', gzipSync(await tar({ 'f.pdf': leaf.pdf('f') })), 'application/x-gzip'))
      .attach(file('g.pdf.gz', gzipSync(leaf.pdf('g')), 'application/gzip'))
      .attach(file('h.log.gz', gzipSync(leaf.other('h'))))
      .attach(file('i.zip.gz', gzipSync(leaf.takes('i', await zip({ 'x.pdf': Buffer.from('%PDF-') })))))
      .attach(file('j.7z', leaf.takes('j', Buffer.from('377abcaf271c0004', 'hex'))))
      .attach({ ...file('', gzipSync(leaf.pdf('unnamed'))), filename: undefined })
      .attach(file('links.tar', (leaf.other('link'), await tar({ 'k.pdf': leaf.pdf('k') })))),
  'a mail saved by Outlook': (leaf) =>
    aMail().attach(
      file(
        'Nachricht.msg',
        msg([
          { name: 'Rechnung März.pdf', mimeType: 'application/pdf', content: leaf.pdf('a') },
          { name: 'b.docx', content: leaf.other('b') },
          { name: 'logo.png', mimeType: 'image/png', contentId: 'x', shown: true, content: leaf.other('logo', PNG) },
          {
            name: 'Weiterleitung',
            content: [
              { name: 'c.pdf', content: leaf.pdf('c') },
              { name: 'd', content: [] },
            ],
          },
          { name: 'link.pdf', content: (leaf.other('link'), null) },
          {
            name: 'e.eml',
            content: aMail()
              .attach(file('e.pdf', leaf.pdf('e')))
              .build(),
          },
          { name: 'f.msg', content: msg([{ name: 'f.pdf', content: leaf.pdf('f') }]) },
          { content: leaf.pdf('unnamed') },
        ]),
      ),
    ),
  'winmail.dat': (leaf) =>
    aMail()
      .attach(
        file(
          'winmail.dat',
          tnef([
            { name: 'Rechnung März.pdf', content: leaf.pdf('a') },
            { name: 'b.docx', content: leaf.other('b') },
            { name: 'Weiterleitung', content: [{ name: 'c.pdf', content: leaf.pdf('c') }] },
            { name: 'link.pdf', content: (leaf.other('link'), null) },
            {
              name: 'd.eml',
              content: aMail()
                .attach(file('d.pdf', leaf.pdf('d')))
                .build(),
            },
          ]),
          'application/ms-tnef',
        ),
      )
      .attach(
        file(
          'e.eml',
          aMail()
            .attach(file('winmail.dat', tnef([{ name: 'e.pdf', content: leaf.pdf('e') }])))
            .build(),
        ),
      ),
  'containers in containers': async (leaf) =>
    aMail()
      .attach(file('a.zip', await zip({ 'a.msg': msg([{ name: 'a.pdf', content: leaf.pdf('a') }]) })))
      .attach(file('b.msg', msg([{ name: 'winmail.dat', content: tnef([{ name: 'b.pdf', content: leaf.pdf('b') }]) }])))
      .attach(
        file(
          'c.eml',
          aMail()
            .attach(file('c.tar.gz', gzipSync(await tar({ 'c.pdf': leaf.pdf('c') }))))
            .build(),
        ),
      )
      .attach(file('d.tar', await tar({ 'd.zip': leaf.takes('d', await zip({ 'x.pdf': Buffer.from('%PDF-') })) }))),
  'containers without documents': async (leaf) =>
    aMail()
      .attach(file('a.eml', leaf.other('a', aMail().text('Danke!').build())))
      .attach(file('b.msg', leaf.other('b', msg([]))))
      .attach(file('winmail.dat', leaf.other('c', tnef([]))))
      .attach(file('d.zip', leaf.other('d', await zip({})))),
  'broken containers': async (leaf) => {
    const whole = { pdf: Buffer.from('%PDF-') };
    return aMail()
      .attach(file('a.msg', leaf.takes('a', Buffer.from('no mail'))))
      .attach(file('b.msg', leaf.takes('b', msg([{ name: 'x.pdf', content: Buffer.alloc(9_000) }]).subarray(0, 2_000))))
      .attach(
        file('winmail.dat', leaf.takes('c', tnef([{ name: 'x.pdf', content: Buffer.alloc(500) }]).subarray(0, 400))),
      )
      .attach(file('d.pdf.gz', leaf.takes('d', gzipSync(Buffer.alloc(5_000, 'x')).subarray(0, 20))))
      .attach(file('e.tar', leaf.takes('e', (await tar({ 'x.pdf': Buffer.alloc(5_000) })).subarray(0, 2_000))))
      .attach(file('f.tgz', leaf.takes('f', Buffer.from('no archive'))))
      .attach(file('g.zip', leaf.takes('g', (await zip({ 'x.pdf': whole.pdf })).subarray(0, 40))));
  },
  'files that cannot be read': (leaf) =>
    aMail()
      .attach(file('a.pdf', leaf.pdf('a')))
      .attach(file('b.pdf', leaf.fails('empty', Buffer.alloc(0)), 'application/pdf'))
      .attach({ ...file('c.pdf', leaf.fails('encoded', Buffer.from('?'))), encoding: 'x-unknown' as never }),
};

/** Mails of every shape, each with the names of its leaves. */
export function mailCorpus(): { readonly name: string; readonly mail: () => Promise<CorpusMail> }[] {
  return Object.entries(CORPUS).map(([name, build]) => ({
    name,
    async mail() {
      const leaves = new LeafBuilder();
      const message = (await build(leaves)).build();
      return { message, leaves: leaves.all, documents: leaves.documents, failures: leaves.failures };
    },
  }));
}
