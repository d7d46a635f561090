// cspell:disable
import { codes } from './codes';

/** UNTDID 4461. */
export const PAYMENT_MEANS = codes(`
  1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42
  43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 74 75 76 77 78 91 92 93 94 95 96
  97 98 ZZZ
`);

/** UNTDID 5305. */
export const VAT_CATEGORY_CODES = codes(`
  AE L M E S Z G O K B
`);

/** UNTDID 2005, what determines the tax point. */
export const TAX_POINTS_UBL = codes(`
  3 35 432
`);

/** UNTDID 2475, what determines the tax point. */
export const TAX_POINTS_CII = codes(`
  5 29 72
`);

/** MIME types of attachments. */
export const ATTACHMENT_TYPES = codes(`
  application/pdf image/png image/jpeg text/csv application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
  application/vnd.oasis.opendocument.spreadsheet
`);
