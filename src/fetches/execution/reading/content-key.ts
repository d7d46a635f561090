/** The dedupe key of a document that is identified by its content. SHA-256 in hexadecimal: no key of a connector has this form. */
export const contentKey = (sha256: string): string => `content:${sha256}`;
