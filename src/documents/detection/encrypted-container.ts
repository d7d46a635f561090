/** DER object identifiers of enveloped data, encrypted for a recipient or with a password (RFC 5652 section 6.1, RFC 5083 section 2). */
const ENVELOPES = ['06092a864886f70d010703', '060b2a864886f70d0109100117'].map((name) => Buffer.from(name, 'hex'));
/** The identifier follows the outer length, which has at most nine bytes. */
const IDENTIFIER_WITHIN = 24;

const ZIP = Buffer.from('PK\x03\x04', 'latin1');

/** Signatures of rights-management messages (MS-OXORMMS) and of armored OpenPGP messages (RFC 9580 section 6.2). */
const MESSAGE_SIGNATURES: Readonly<Record<string, Buffer>> = {
  'application/x-microsoft-rpmsg-message': Buffer.from('76e80460c411e386', 'hex'),
  'application/pgp-encrypted': Buffer.from('-----BEGIN PGP MESSAGE-----'),
};

/**
 * Whether the first bytes of a zip archive, or of a CMS (`smime.p7m`), OpenPGP or rights-management message, show that it cannot
 * be opened without a password or a key. For an archive its first file decides (APPNOTE.TXT section 4.4.4).
 */
export function isEncryptedContainer(mimeType: string, head: Buffer): boolean {
  if (mimeType === 'application/zip') {
    return head.length > 7 && head.subarray(0, 4).equals(ZIP) && (head.readUInt16LE(6) & 1) === 1;
  }
  const message = MESSAGE_SIGNATURES[mimeType];
  if (message) return head.subarray(0, message.length).equals(message);
  const start = head.subarray(0, IDENTIFIER_WITHIN);
  return mimeType === 'application/pkcs7-mime' && ENVELOPES.some((name) => start.includes(name));
}
