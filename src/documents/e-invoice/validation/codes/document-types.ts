// cspell:disable
import { codes, extended } from './codes';

/** UNTDID 1001, the types that a UBL Invoice may have. */
export const INVOICE_TYPES = codes(`
  71 80 81 82 84 102 130 202 203 204 211 218 219 295 325 326 331 380 382 383 384 385 386 387 388 389 390 393 394 395 456
  457 471 472 473 500 501 527 553 575 623 633 751 780 817 870 875 876 877 935
`);

/** UNTDID 1001, the types that a UBL CreditNote may have. */
export const CREDIT_NOTE_TYPES = codes(`
  81 83 261 262 296 308 381 396 420 458 502 503 532
`);

/** UNTDID 1001, the types that a CII invoice may have. */
export const DOCUMENT_TYPES = extended(INVOICE_TYPES, CREDIT_NOTE_TYPES);
