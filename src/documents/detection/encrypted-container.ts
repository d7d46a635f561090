/** Names of what is encrypted for a recipient, or by a password (RFC 5652 section 6.1, RFC 5083 section 2), in DER. */
const ENVELOPES = ['06092a864886f70d010703', '060b2a864886f70d0109100117'].map((name) => Buffer.from(name, 'hex'));
/** The name follows the length of the whole: of nine bytes at most. */
const NAME_WITHIN = 24;

const ZIP = Buffer.from('PK\x03\x04', 'latin1');

/** What a compressed message in rights management begins with (MS-OXORMMS), and an armoured one in OpenPGP (RFC 9580 section 6.2). */
const MESSAGES: Readonly<Record<string, Buffer>> = {
  'application/x-microsoft-rpmsg-message': Buffer.from('76e80460c411e386', 'hex'),
  'application/pgp-encrypted': Buffer.from('-----BEGIN PGP MESSAGE-----'),
};

/**
 * Whether the beginning of a zip archive or of a mail or file in CMS (`smime.p7m`), OpenPGP or rights management shows that it
 * cannot be opened without a password or a key. An archive is taken for what its first file is (APPNOTE.TXT section 4.4.4).
 */
export function isEncryptedContainer(mimeType: string, head: Buffer): boolean {
  if (mimeType === 'application/zip') {
    return head.length > 7 && head.subarray(0, 4).equals(ZIP) && (head.readUInt16LE(6) & 1) === 1;
  }
  const message = MESSAGES[mimeType];
  if (message) return head.subarray(0, message.length).equals(message);
  const start = head.subarray(0, NAME_WITHIN);
  return mimeType === 'application/pkcs7-mime' && ENVELOPES.some((name) => start.includes(name));
}
