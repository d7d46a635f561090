import type { Cell, Line } from '../layout/lines';
import { onlyValue } from './only-value';

const LEGAL_FORM = String.raw`(?:g?(?:GmbH|GMBH)(?: & (?:Co|CO)\.? ?(?:KG(?:aA)?|OHG))?|AG(?: & Co\.? ?KG)?|UG(?: ?\(haftungsbeschränkt\))?|KGaA|KG|OHG|GbR|e\. ?K\.|e\. ?V\.|a\. ?G\.|eG|SE|PartG(?: ?mbB)?|mbH|Ges\.? ?m\.? ?b\.? ?H\.?|Ltd\.?|Limited|PLC|LLC|LLP|Inc\.?|Corp\.?|B\.V\.|N\.V\.|S\.A\.S\.?|SAS|SARL|S\.à r\.l\.|S\.r\.l\.|ApS|A/S|AB|Oy|S\.A\.)`;
const COMPANY = new RegExp(
  String.raw`(?:^|[|·•,;:–]\s*|\s-\s)((?:\p{Lu}|\d)[\p{L}\d&.,'’+/!-]*(?:\s(?:&|\+|und|and|[\p{L}\d][\p{L}\d&.,'’+/!-]*)){0,6}?\s${LEGAL_FORM})(?=$|\s*[,;|·•–-]|\s\p{Ll})`,
  'gu',
);
/** A company that is named for another reason than being a party. */
const OTHER_COMPANY =
  /\bbank\b|bank(?=\s)|sparkasse|volksbank|raiffeisen|versicherung|geschäftsführ|komplementär|inkasso/i;
/** Labels of the supplier. The payee or the holder of the account can be another company. */
const LABELLED =
  /(?:verkäufer|lieferant|rechnungssteller|rechnungsaussteller|leistungserbringer|seller|supplier|sold by)\s*:?\s*$/i;
/** What stands alone above the name of its party. */
const HEADING =
  /^(?:(?:informationen|angaben) zum )?(?:verkäufer|lieferant|rechnungs(?:aus|er)?steller|leistungserbringer|seller|supplier|sold by|from)\s*:?$/i;
/** The heading of another party. */
const OTHER_HEADING =
  /^[^\d:]{0,40}(?:käufer|kunde|empfänger|bevollmächtigte|vertreter|buyer|customer|bill to|ship to|payee|representative)[^\d:]{0,40}:?$/i;
/** In a block of labelled values, whose heading says which party's they are. */
const NAME_LABEL = /^(?:name|firma|firmenname|unternehmen|company(?: name)?)\s*:?$/i;
const LONGEST_BLOCK = 12;
const FOOTER = 0.82;
/** The sender's address in one small line above the recipient's, as in letters for envelopes with a window. */
const SENDER_LINE = /(?:\d{4,5}|[A-Z]{1,2}\d[\dA-Z]? \d[A-Z]{2}) \p{Lu}/u;

/**
 * The supplier's name: the only company that is named as the sender, below a heading that says so, or in the footer, the sender
 * line or beside a label, and then elsewhere, too. Only names with a legal form are recognized, because other text cannot be told
 * from a name.
 */
export function supplierName(lines: readonly Line[]): string | undefined {
  const named = lines.flatMap((line, at) =>
    line.cells.flatMap((cell, index) => {
      const label = line.cells[index - 1];
      const before = label?.text ?? '';
      const isInBlock = NAME_LABEL.test(before);
      return companiesIn(cell.text).map((name) => ({
        name,
        place: `${line.page}:${line.y.toFixed(0)}:${cell.left.toFixed(0)}`,
        isHeaded: isInBlock ? isUnder(HEADING, lines, at, label!) : isBelowHeading(lines, at, cell),
        isSender:
          (line.at > FOOTER && !isUnder(OTHER_HEADING, lines, at, isInBlock ? label! : cell)) ||
          LABELLED.test(before) ||
          LABELLED.test(cell.text.slice(0, cell.text.indexOf(name))) ||
          (line.page === 0 && SENDER_LINE.test(cell.text.slice(cell.text.indexOf(name) + name.length))),
      }));
    }),
  );
  const senders = named.filter(({ isSender, isHeaded }) => isSender || isHeaded);
  const name = onlyValue(
    senders.map((each) => each.name),
    normalized,
  );
  if (senders.some(({ isHeaded }) => isHeaded)) return name;
  const places = new Set(
    named.filter((each) => name !== undefined && normalized(each.name) === normalized(name)).map(({ place }) => place),
  );
  return places.size > 1 ? name : undefined;
}

function isBelowHeading(lines: readonly Line[], at: number, cell: Cell): boolean {
  const above = lines
    .slice(Math.max(at - 2, 0), at)
    .flatMap(({ page, cells }) => (page === lines[at]!.page ? cells : []));
  return above.some(({ left, right, text }) => HEADING.test(text) && left < cell.right && right > cell.left);
}

/** Whether the nearest heading above a label or name, in its column, is one that `heading` fits. */
function isUnder(heading: RegExp, lines: readonly Line[], at: number, { left, right }: Cell): boolean {
  const above = lines
    .slice(Math.max(at - LONGEST_BLOCK, 0), at)
    .filter(({ page }) => page === lines[at]!.page)
    .flatMap(({ cells }) => cells.filter((cell) => cell.left < right && cell.right > left))
    .filter(({ text }) => HEADING.test(text) || OTHER_HEADING.test(text));
  return heading.test(above.at(-1)?.text ?? '');
}

function companiesIn(text: string): string[] {
  return [...text.matchAll(COMPANY)].flatMap(([, name]) =>
    OTHER_COMPANY.test(name!) || name!.length > 80 ? [] : name!,
  );
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/[\s.,]+/g, '');
}
