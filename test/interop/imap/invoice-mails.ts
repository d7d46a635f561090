import { aMail, type MailBuilder } from '../../builders/mail-builder';

/** Content of `length` bytes that resembles a PDF and is unique per seed. */
export function pdfBytes(seed: string, length = 2_000): Buffer {
  const line = Buffer.from(`%PDF-1.7 ${seed}\n`);
  return Buffer.concat([Buffer.alloc(length, line).subarray(0, length - 6), Buffer.from('%%EOF\n')]);
}

/** A mail with PDFs of these names; each contains `pdfBytes` of its name unless its content is given. */
export function invoiceMail(...names: (string | readonly [name: string, content: Buffer])[]): MailBuilder {
  const mail = aMail();
  for (const name of names) {
    const [filename, content] = typeof name === 'string' ? [name, pdfBytes(name)] : name;
    mail.attach({ content, filename, mimeType: 'application/pdf' });
  }
  return mail;
}
