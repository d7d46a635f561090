/** How the rules of a VAT category differ. */
export interface VatCategory {
  readonly code: string;
  readonly prefix: string;
  /** Who has to have a VAT number: the seller (also by tax number), the seller and the buyer, nobody. */
  readonly parties: 'SELLER_TAX' | 'SELLER_VAT' | 'SELLER_AND_BUYER' | 'SELLER_AND_BUYER_VAT' | 'NOBODY';
  /** What the rate has to be. */
  readonly rate: 'POSITIVE' | 'NOT_NEGATIVE' | 'ZERO' | 'NONE';
  /** Whether there may be breakdowns with several rates. */
  readonly perRate: boolean;
  /** Whether the breakdown gives a reason for the exemption, or must not. */
  readonly reason: boolean;
}

/** The VAT categories of EN 16931 with rules of their own, by the code of UNTDID 5305. */
export const VAT_CATEGORIES: readonly VatCategory[] = [
  { code: 'S', prefix: 'BR-S', parties: 'SELLER_TAX', rate: 'POSITIVE', perRate: true, reason: false },
  { code: 'Z', prefix: 'BR-Z', parties: 'SELLER_TAX', rate: 'ZERO', perRate: false, reason: false },
  { code: 'E', prefix: 'BR-E', parties: 'SELLER_TAX', rate: 'ZERO', perRate: false, reason: true },
  { code: 'AE', prefix: 'BR-AE', parties: 'SELLER_AND_BUYER', rate: 'ZERO', perRate: false, reason: true },
  { code: 'K', prefix: 'BR-IC', parties: 'SELLER_AND_BUYER_VAT', rate: 'ZERO', perRate: false, reason: true },
  { code: 'G', prefix: 'BR-G', parties: 'SELLER_VAT', rate: 'ZERO', perRate: false, reason: true },
  { code: 'O', prefix: 'BR-O', parties: 'NOBODY', rate: 'NONE', perRate: false, reason: true },
  { code: 'L', prefix: 'BR-AF', parties: 'SELLER_TAX', rate: 'NOT_NEGATIVE', perRate: true, reason: false },
  { code: 'M', prefix: 'BR-AG', parties: 'SELLER_TAX', rate: 'NOT_NEGATIVE', perRate: true, reason: false },
];
