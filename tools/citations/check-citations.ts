/** A rule that a page of `docs/` defines: `4`, `4.6`, `4.6 rule 5` or `6 "Isolation"`. */
type Address = string;

const HEADING = /^#{2,3} (\d+(?:\.\d+)?)\.? /;
const RULE = /^(\d+)\. /;
const TERM = /^\*\*([^*]+?)[.:]?\*\*/;

/** Lists the rules that a page defines: its numbered headings, the numbered rules below them, and the terms in bold that begin a paragraph. */
export function addressesOf(page: string): ReadonlySet<Address> {
  const addresses = new Set<Address>();
  let section = '';
  for (const line of page.split('\n')) {
    const heading = HEADING.exec(line)?.[1];
    if (heading) addresses.add((section = heading));
    else if (line.startsWith('## ')) section = '';
    if (!section) continue;
    const rule = RULE.exec(line)?.[1];
    if (rule) addresses.add(`${section} rule ${rule}`);
    const term = TERM.exec(line)?.[1];
    if (term) addresses.add(`${section} "${term}"`);
  }
  return addresses;
}

const CITATION =
  /\b(spec|decisions) (\d+(?:\.\d+)?)((?:,? (?:and|to|or) \d+(?:\.\d+)?|, \d+(?:\.\d+)?(?![\d%]))*)(?: rule (\d+)| "([^"]+)")?/g;
/** The former name of the decisions, for which no page exists. */
const UNKNOWN_PAGE = /\bcontract \d/;

/**
 * Finds citations without a target.
 * @param text a source file
 * @param pages the addresses of each page that can be cited
 * @returns one sentence for each, with its line (from 1)
 */
export function brokenCitations(
  text: string,
  pages: Readonly<Record<'spec' | 'decisions', ReadonlySet<Address>>>,
): string[] {
  return text.split('\n').flatMap((line, index) => {
    const cited = [...line.matchAll(CITATION)].flatMap(([, page, section, more, rule, term]) =>
      addresses(section!, more!, rule, term)
        .filter((address) => !pages[page as 'spec' | 'decisions'].has(address))
        .map((address) => `${index + 1}: docs/${page}.md has no ${address}`),
    );
    return UNKNOWN_PAGE.test(line) ? [...cited, `${index + 1}: cite "decisions", not "contract"`] : cited;
  });
}

function addresses(section: string, more: string, rule: string | undefined, term: string | undefined): Address[] {
  const sections = [section, ...(more.match(/\d+(?:\.\d+)?/g) ?? [])];
  if (rule) sections.push(`${sections.at(-1)!} rule ${rule}`);
  if (term) sections.push(`${sections.at(-1)!} "${term}"`);
  return sections;
}
