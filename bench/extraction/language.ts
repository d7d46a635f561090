/* cspell:disable */
/** Words of the labels and titles of invoices. */
const WORDS = {
  German:
    'rechnung rechnungsnummer rechnungsdatum datum nummer betrag menge preis einzelpreis netto brutto mwst ust umsatzsteuer steuer summe gesamt gesamtbetrag kunde kundennummer lieferung zahlung zahlbar fällig',
  English:
    'invoice date number amount quantity qty price net gross vat tax sum total subtotal customer delivery payment payable due buyer seller description bill order',
  French:
    'facture date numéro montant quantité qté prix ht ttc tva taxe total somme client livraison paiement payer échéance acheteur vendeur désignation siret siren commande',
};
/* cspell:enable */

export type Language = keyof typeof WORDS | 'other';

/** Fewer words than these decide nothing. */
const LEAST = 3;

/** The language of a document: the one with the most of its words in the text. */
export function languageOf(text: string): Language {
  const words = new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+/gu),
  );
  const [first, second] = Object.entries(WORDS)
    .map(([name, list]) => ({ name, count: list.split(' ').filter((word) => words.has(word)).length }))
    .sort((a, b) => b.count - a.count);
  return first!.count < LEAST || first!.count === second!.count ? 'other' : (first!.name as Language);
}
