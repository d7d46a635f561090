/** How a value is shown: as written, or formatted for the reader. */
export type FactKind =
  | 'text'
  | 'paragraphs'
  | 'day'
  | 'amount'
  | 'number'
  | 'percent'
  | 'country'
  | 'type'
  | 'vat_category'
  | 'payment_means';

/** A labelled value. `key` names the label in `readable.json` of `i18n`. */
export interface Fact {
  readonly key: string;
  readonly kind: FactKind;
  readonly value: string;
  /** The currency of an amount, the unit of a number, or the scheme of an identifier. */
  readonly unit?: string;
}

/** A party, the delivery, the payment, …: the groups of EN 16931 that are lists of values. */
export interface FactGroup {
  readonly key: string;
  readonly facts: readonly Fact[];
}

/** An invoice line (BG-25). */
export interface ReadableLine {
  readonly number?: Fact;
  readonly name?: Fact;
  /** Everything that has no column. */
  readonly details: readonly Fact[];
  readonly quantity?: Fact;
  readonly price?: Fact;
  readonly tax: readonly Fact[];
  readonly net?: Fact;
  /** The depth of a sub-line of XRechnung's extension; 0 for others. */
  readonly level: number;
}

/** A row of the VAT breakdown (BG-23), or of allowances and charges (BG-20, BG-21). */
export type FactRow = Readonly<Partial<Record<string, Fact>>>;

/** The whole content of an e-invoice for people, in the order of EN 16931. */
export interface ReadableInvoice {
  readonly type?: Fact;
  readonly number?: Fact;
  readonly groups: readonly FactGroup[];
  readonly lines: readonly ReadableLine[];
  readonly adjustments: readonly FactRow[];
  readonly taxes: readonly FactRow[];
  readonly totals: readonly Fact[];
  readonly notes: readonly Fact[];
  /** Whether it was too long to be shown as a whole. */
  readonly isTruncated: boolean;
}
