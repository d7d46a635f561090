/** The fields of an e-invoice as written, named after the business terms (BT) of EN 16931. */
export interface InvoiceFields {
  /** BT-24, the specification identifier: which profile the sender claims. */
  readonly specification?: string;
  /** The type according to the root element; for an invoice the type code may be more specific. */
  readonly root: 'invoice' | 'credit_note' | 'either';
  /** BT-3, a code of UNTDID 1001. */
  readonly typeCode?: string;
  /** BT-1. */
  readonly number?: string;
  /** BT-2, `YYYY-MM-DD`; undefined when absent or unreadable, as all dates here. */
  readonly issueDate?: string;
  /** BT-9. */
  readonly dueDate?: string;
  /** BT-73. */
  readonly periodStart?: string;
  /** BT-74, else BT-72 (the day on which the delivery was completed). */
  readonly periodEnd?: string;
  /** BT-5. */
  readonly currency?: string;
  readonly seller: PartyFields;
  readonly buyer: PartyFields;
  /** BT-84, unless another payee than the seller is paid (BG-10). */
  readonly sellerAccounts: readonly string[];
  /** BT-91. */
  readonly buyerAccounts: readonly string[];
  /** BT-13. */
  readonly orderReference?: string;
  /** BT-25, the first one. */
  readonly precedingInvoice?: string;
  /** BT-81, codes of UNTDID 4461. */
  readonly paymentMeansCodes: readonly string[];
  readonly totals: TotalsFields;
  /** BT-131 of every line; undefined for a line without it. */
  readonly lineAmounts: readonly (string | undefined)[];
  /** BT-117 of every VAT breakdown. */
  readonly taxByCategory: readonly (string | undefined)[];
}

export interface PartyFields {
  /** BT-27/BT-44, else BT-28/BT-45 for the name only. */
  readonly name?: string;
  /** BT-31/BT-48. */
  readonly vatId?: string;
  /** BT-32. */
  readonly taxNumber?: string;
  /** BT-40/BT-55. */
  readonly country?: string;
  /** BT-43/BT-58, otherwise BT-34/BT-49 if it is an e-mail address. */
  readonly email?: string;
}

export interface TotalsFields {
  /** BT-109. */
  readonly net?: string;
  /** BT-110, which is in the invoice's currency (BT-111 is in another). */
  readonly tax?: string;
  /** BT-112. */
  readonly gross?: string;
  /** BT-113. */
  readonly prepaid?: string;
  /** BT-115. */
  readonly due?: string;
}
