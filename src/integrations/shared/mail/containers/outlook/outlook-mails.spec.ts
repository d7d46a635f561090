import { msg, type OutlookAttachmentSpec, tnef } from '../../../../../../test/builders/outlook-files';
import { ContainerUnreadable } from '../container';
import { mailContents } from '../mail-contents';
import type { MailFormat } from '../parse-mail';
import { readMsg } from './msg';
import type { OutlookMessage } from './outlook-message';
import { readTnef } from './tnef';

const PDF = Buffer.from('%PDF-1.7 Rechnung\n%%EOF\n');
const LARGE = Buffer.concat([PDF, Buffer.alloc(20_000, 'x')]);

describe.each<[MailFormat, (attachments: readonly OutlookAttachmentSpec[]) => Buffer, (b: Buffer) => OutlookMessage]>([
  ['msg', msg, readMsg],
  ['tnef', tnef, readTnef],
])('a mail as %s', (format, build, read) => {
  const open = (bytes: Buffer) => mailContents({ format, bytes, choice: 'documents' });

  it('has its attachments with names, types and bytes', () => {
    const found = read(
      build([
        { name: 'Rechnung März.pdf', mimeType: 'Application/PDF', content: PDF },
        { name: 'groß.pdf', content: LARGE },
        { name: 'logo.png', contentId: 'logo@x', shown: true, content: PDF },
        { name: 'leer.pdf', content: Buffer.alloc(0) },
      ]),
    );
    expect(found.attachments).toMatchObject([
      { name: 'Rechnung März.pdf', mimeType: 'application/pdf', isInline: false },
      { name: 'groß.pdf', isInline: false },
      { name: 'logo.png', contentId: 'logo@x', isInline: true },
      { name: 'leer.pdf', isInline: false },
    ]);
    const contents = found.attachments.map(({ content }) => Buffer.from(content as Uint8Array));
    expect(contents).toEqual([PDF, LARGE, PDF, Buffer.alloc(0)]);
  });

  it('has the attachments of mails in it, up to ten deep', () => {
    const nested = (depth: number): OutlookAttachmentSpec[] =>
      depth === 0 ? [{ name: 'a.pdf', content: PDF }] : [{ name: `${depth}`, content: nested(depth - 1) }];
    const depthOf = ({ attachments: [first] }: OutlookMessage): number =>
      first === undefined || first.content === null || first.content instanceof Uint8Array
        ? 0
        : 1 + depthOf(first.content);
    expect(depthOf(read(build(nested(3))))).toBe(3);
    expect(depthOf(read(build(nested(14))))).toBe(10);
  });

  it('keeps the number of each file, whatever else it contains', async () => {
    const files = async (...attachments: OutlookAttachmentSpec[]) =>
      (await open(build(attachments))).files.map(({ name, index }) => [name, index]);
    const [a, b] = [
      { name: 'a.pdf', content: PDF },
      { name: 'b.msg', content: msg([]) },
    ];
    expect(await files(a, b, { ...a, name: 'c.pdf' })).toEqual([
      ['a.pdf', 0],
      ['c.pdf', 1],
      ['b.msg', 1_000_002],
    ]);
  });

  it('that is broken is reported as unreadable', async () => {
    const whole = build([{ name: 'a.pdf', content: LARGE }]);
    for (const broken of [Buffer.alloc(0), Buffer.from('no mail'), whole.subarray(0, 1_000)]) {
      await expect(open(broken)).rejects.toThrow(ContainerUnreadable);
    }
  });
});

it('a TNEF with random faults is read or reported, whatever they are', () => {
  const whole = tnef([
    { name: 'a.pdf', content: PDF },
    { name: 'b', content: [{ name: 'c.pdf', content: PDF }] },
  ]);
  let state = 7;
  const random = (below: number) => (state = (state * 48_271) % 0x7fffffff) % below;
  for (let run = 0; run < 2_000; run++) {
    const bytes = Buffer.from(whole);
    for (let n = 0; n < 3; n++) bytes[random(bytes.length)] = random(256);
    try {
      readTnef(bytes);
    } catch (error) {
      expect((error as Error).message).toMatch(/^(It is not TNEF|The attachments are cut off)\.$/);
    }
  }
});

it('ignores bytes that gateways append to TNEF', () => {
  const bytes = Buffer.concat([tnef([{ name: 'a.pdf', content: PDF }]), Buffer.from('\0\0\r\n')]);
  expect(readTnef(bytes).attachments).toMatchObject([{ name: 'a.pdf' }]);
});
