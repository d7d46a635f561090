import type { RemovedDocument } from '../cassette';

// cspell:ignore endobj
const PDF = [
  '%PDF-1.4',
  '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
  '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj',
  'trailer<</Root 1 0 R>>',
  '%%EOF',
  '',
].join('\n');

/** Small documents by type. The archives contain that PDF, one of them twice. */
const DOCUMENTS: Readonly<Record<string, Buffer>> = {
  'application/pdf': Buffer.from(PDF),
  'application/xml': Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<document/>\n'),
  'text/html': Buffer.from('<!doctype html>\n<title>Document</title>\n'),
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
};
const ARCHIVE = Buffer.from(
  'UEsDBBQAAAgIAAAAIVwUFsG0igAAAL8AAAAMAAAAZG9jdW1lbnQucGRmUw1wcdM11DPhMlQwUMhPyrKx0Q+pLEjVd04sSczJT9cPSExPLVYwUjBQCLKzS81LyU/K4jJCVQpWou+dmVIcbQxSF6vvnF+aV6JgCNdgjKlBPyCxKDWvBGKyvm9qSmaiU35FtIGCgYK5kYK5USxcc0lRYmZOapGNjX5Qfn6JgiHEKVyqqq7+blwAUEsBAj8DFAAACAgAAAAhXBQWwbSKAAAAvwAAAAwAAAAAAAAAAAAAALSBAAAAAGRvY3VtZW50LnBkZlBLBQYAAAAAAQABADoAAAC0AAAAAAA=',
  'base64',
);
const ARCHIVE_OF_SEVERAL = Buffer.from(
  'UEsDBBQAAAgIAAAAIVwUFsG0igAAAL8AAAAMAAAAZG9jdW1lbnQucGRmUw1wcdM11DPhMlQwUMhPyrKx0Q+pLEjVd04sSczJT9cPSExPLVYwUjBQCLKzS81LyU/K4jJCVQpWou+dmVIcbQxSF6vvnF+aV6JgCNdgjKlBPyCxKDWvBGKyvm9qSmaiU35FtIGCgYK5kYK5USxcc0lRYmZOapGNjX5Qfn6JgiHEKVyqqq7+blwAUEsDBBQAAAgIAAAAIVwUFsG0igAAAL8AAAAOAAAAZG9jdW1lbnQtMi5wZGZTDXBx0zXUM+EyVDBQyE/KsrHRD6ksSNV3TixJzMlP1w9ITE8tVjBSMFAIsrNLzUvJT8riMkJVClai752ZUhxtDFIXq++cX5pXomAI12CMqUE/ILEoNa8EYrK+b2pKZqJTfkW0gYKBgrmRgrlRLFxzSVFiZk5qkY2NflB+fomCIcQpXKqqrv5uXABQSwECPwMUAAAICAAAACFcFBbBtIoAAAC/AAAADAAAAAAAAAAAAAAAtIEAAAAAZG9jdW1lbnQucGRmUEsBAj8DFAAACAgAAAAhXBQWwbSKAAAAvwAAAA4AAAAAAAAAAAAAALSBtAAAAGRvY3VtZW50LTIucGRmUEsFBgAAAAACAAIAdgAAAGoBAAAAAA==',
  'base64',
);
const EMPTY_ARCHIVE = Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64');

/** The document that replaces a recorded one: of the same type where the type is read. */
export function placeholderOf({ type, files }: Pick<RemovedDocument, 'type' | 'files'>): Buffer {
  if (files !== undefined) return files === 0 ? EMPTY_ARCHIVE : files === 1 ? ARCHIVE : ARCHIVE_OF_SEVERAL;
  return DOCUMENTS[type] ?? DOCUMENTS[type.endsWith('+xml') ? 'application/xml' : ''] ?? Buffer.from('Document\n');
}
