import { getDocumentProxy } from 'unpdf';

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** An open PDF; `pdf.loadingTask.destroy()` closes it. */
interface OpenedPdf {
  readonly pdf: PdfDocument;
  /** Whether it opens with a password only. */
  readonly isEncrypted: boolean;
}

/**
 * Opens a PDF, with the first of the passwords that fits if it needs one. The bytes are transferred unless they are a Buffer or
 * passwords are given. Throws when it is broken, or when no password fits (`needsPassword`).
 */
export async function openPdf(bytes: Uint8Array, passwords: readonly string[] = []): Promise<OpenedPdf> {
  const isKept = Buffer.isBuffer(bytes) || passwords.length > 0;
  const open = (password?: string) =>
    getDocumentProxy(isKept ? new Uint8Array(bytes) : bytes, { verbosity: 0, ...(password && { password }) });
  try {
    return { pdf: await open(), isEncrypted: false };
  } catch (error) {
    if (!needsPassword(error)) throw error;
    for (const password of passwords) {
      const pdf = await open(password).catch(ignoreWrongPassword);
      if (pdf) return { pdf, isEncrypted: true };
    }
    throw error;
  }
}

/** Whether reading failed because the PDF needs a password to open; a PDF with only an owner password can be read. */
export function needsPassword(error: unknown): boolean {
  return error instanceof Error && error.name === 'PasswordException';
}

function ignoreWrongPassword(error: unknown): undefined {
  if (!needsPassword(error)) throw error;
}
