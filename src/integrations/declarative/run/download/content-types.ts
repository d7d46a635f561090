import type { Format } from '../../compile/documents';

const UNSPECIFIC = ['', 'application/octet-stream', 'binary/octet-stream', 'application/force-download'];
const EXPECTED: Readonly<Record<Format, readonly string[]>> = {
  pdf: ['application/pdf'],
  xml: ['application/xml', 'text/xml'],
  any: [],
};
/** A page that says something instead of a document. */
const PAGES = ['text/html', 'application/json'];

/** The type of a document whose answer has this type; null when the answer is no such document. */
export function acceptedType(format: Format, stated: string): string | null {
  if (format === 'any') return PAGES.includes(stated) ? null : stated === '' ? 'application/octet-stream' : stated;
  const expected = EXPECTED[format];
  return UNSPECIFIC.includes(stated) || expected.includes(stated) ? expected[0]! : null;
}
