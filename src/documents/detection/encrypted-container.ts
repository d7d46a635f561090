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

/** The local header of a file in a zip archive (APPNOTE.TXT section 4.3.7). */
const LOCAL_HEADER_BYTES = 30;
const ENCRYPTED_FLAG = 1;
const SIZE_FOLLOWS_FLAG = 8;

/**
 * Whether the first bytes of a zip archive, or of a CMS (`smime.p7m`), OpenPGP or rights-management message, show that it cannot
 * be opened without a password or a key. In an archive, the files within these bytes are looked at.
 */
export function isEncryptedContainer(mimeType: string, head: Buffer): boolean {
  if (mimeType === 'application/zip') return hasEncryptedFile(head);
  const message = MESSAGE_SIGNATURES[mimeType];
  if (message) return head.subarray(0, message.length).equals(message);
  const start = head.subarray(0, IDENTIFIER_WITHIN);
  return mimeType === 'application/pkcs7-mime' && ENVELOPES.some((name) => start.includes(name));
}

/** Follows the local headers up to the first file whose size is not stated there. */
function hasEncryptedFile(head: Buffer): boolean {
  let at = 0;
  while (head.length >= at + LOCAL_HEADER_BYTES && head.subarray(at, at + ZIP.length).equals(ZIP)) {
    const flags = head.readUInt16LE(at + 6);
    if ((flags & ENCRYPTED_FLAG) !== 0) return true;
    if ((flags & SIZE_FOLLOWS_FLAG) !== 0) return false;
    at += LOCAL_HEADER_BYTES + head.readUInt32LE(at + 18) + head.readUInt16LE(at + 26) + head.readUInt16LE(at + 28);
  }
  return false;
}
