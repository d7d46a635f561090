import { Constructed, Integer, ObjectIdentifier, OctetString, Sequence, Set as AsnSet } from 'asn1js';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { openSigned } from './signed-mail';
import { type ContainedFile, ContainerUnreadable } from './container';

const tagged = (value: Sequence | OctetString) =>
  new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [value] });

/** Signed content without signers (RFC 5652 section 5.1), in chunks of one kilobyte, like some senders, or in one. */
function signed(content: Buffer, portions = false): Buffer {
  const starts = portions ? Array.from({ length: Math.ceil(content.length / 1024) }, (_, n) => n * 1024) : [];
  const octets = portions
    ? new OctetString({
        idBlock: { isConstructed: true },
        value: starts.map((at) => new OctetString({ valueHex: content.subarray(at, at + 1024) })),
      })
    : new OctetString({ valueHex: content });
  const inner = new Sequence({ value: [new ObjectIdentifier({ value: '1.2.840.113549.1.7.1' }), tagged(octets)] });
  const data = new Sequence({ value: [new Integer({ value: 1 }), new AsnSet(), inner, new AsnSet()] });
  const whole = new Sequence({ value: [new ObjectIdentifier({ value: '1.2.840.113549.1.7.2' }), tagged(data)] });
  return Buffer.from(whole.toBER());
}

function mailWith(attachment: Buffer): Buffer {
  const head = 'Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n';
  return Buffer.from(head + attachment.toString('base64').replace(/.{76}/g, '$&\r\n'));
}

const bytesOf = (file: ContainedFile | undefined): Promise<Buffer> => buffer(Readable.from(file!.read()));

describe('a signed mail', () => {
  it.each([
    ['in one piece', false],
    ['in portions', true],
  ])('of the maximum size is read (%s)', async (_, portions) => {
    const attachment = Buffer.alloc(17_000_000, 'Rechnung ');
    const { files } = await openSigned(signed(mailWith(attachment), portions), 'documents');
    expect(files).toMatchObject([{ name: 'a.pdf', size: attachment.length }]);
    expect((await bytesOf(files[0])).equals(attachment)).toBe(true);
  });

  it('that is nested too deeply is not read', async () => {
    const nested = (depth: number) =>
      Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary="${n}"\r\n\r\n--${n}\r\n`).join(
        '',
      );
    for (const depth of [300, 20_000]) {
      await expect(openSigned(signed(Buffer.from(nested(depth))), 'documents')).rejects.toThrow(ContainerUnreadable);
    }
  });

  it('with another content type contains no mail', async () => {
    const receipt = signed(Buffer.from('Subject: x\r\n\r\nx'));
    const data = Buffer.from('2a864886f70d010701', 'hex');
    receipt[receipt.indexOf(data) + data.length - 1] = 0x09;
    expect(await openSigned(receipt, 'documents')).toEqual({ files: [], filteredBy: {} });
  });
});
