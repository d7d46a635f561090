import type { DocumentType } from '../metadata';

// The two subsets of UNTDID 1001 that EN 16931 permits for BT-3 (rule BR-CL-01).
const CREDIT_NOTES = '81 83 261 262 296 308 381 396 420 458 502 503 532';
const INVOICES =
  '71 80 82 84 102 130 202 203 204 211 218 219 295 326 331 380 382 383 384 385 386 387 388 389 390 393 394 395 ' +
  '456 457 471 472 473 500 501 527 553 575 623 633 751 780 817 870 875 876 877 935';

const TYPES = new Map<string, DocumentType>([
  ...CREDIT_NOTES.split(' ').map((code) => [code, 'credit_note'] as const),
  ...INVOICES.split(' ').map((code) => [code, 'invoice'] as const),
  // Also in the list of invoices, but a pro-forma invoice requests no payment and must not be booked as an invoice.
  ['325', 'document'],
]);

/**
 * The document type of a code of UNTDID 1001: 380 commercial, 384 corrected, 386 prepayment, 389 self-billed, 326
 * partial, 875 to 877 construction and all other invoices → `invoice`; 381, 261 self-billed, 396 factored and all other
 * credit notes → `credit_note`; 325 pro forma → `document`. Undefined for a code that EN 16931 does not define.
 */
export function documentTypeOf(code: string | undefined): DocumentType | undefined {
  return code === undefined ? undefined : TYPES.get(code);
}
