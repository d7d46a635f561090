import { XMLBuilder, XMLParser } from 'fast-xml-parser';

/** An invoice that differs from its sample in one place, or in one decision about VAT. */
export interface Mutant {
  readonly name: string;
  /** Written when it is called, before the next mutant is generated: writing takes longer than generating. */
  readonly xml: () => string;
}

type Raw = Record<string, unknown>;
interface Place {
  readonly siblings: Raw[];
  readonly node: Raw;
  readonly name: string;
  readonly path: string;
}

const ATTRIBUTES = ':@';
const TEXT = '#text';
const options = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  processEntities: false,
};
const parser = new XMLParser({ ...options, parseAttributeValue: false, trimValues: true });
const builder = new XMLBuilder({ ...options, suppressEmptyNode: false });

const nameOf = (node: Raw) =>
  Object.keys(node).find((key) => key !== ATTRIBUTES && key !== TEXT && !key.startsWith('?'));
const childrenOf = (node: Raw) => node[nameOf(node)!] as Raw[];
const textOf = (node: Raw) =>
  childrenOf(node)
    .map((child) => (child[TEXT] as string | undefined) ?? '')
    .join('');

/** Generates the mutants of an invoice, always the same ones in the same order: each element removed, repeated, emptied, changed. */
export function* mutants(xml: string): Generator<Mutant> {
  const document = parser.parse(xml) as Raw[];
  const root = document.find((node) => nameOf(node))!;
  const build = (name: string): Mutant => ({ name, xml: () => builder.build(document) });
  yield build('unchanged');
  for (const place of [...places(childrenOf(root), '')]) {
    yield* restored(
      place,
      () => place.siblings.splice(place.siblings.indexOf(place.node), 1),
      `remove ${place.path}`,
      build,
    );
    yield* restored(
      place,
      () => place.siblings.splice(place.siblings.indexOf(place.node), 0, structuredClone(place.node)),
      `repeat ${place.path}`,
      build,
    );
    yield* valueMutants(place, build);
    yield* attributeMutants(place, build);
  }
  yield* categoryMutants(root, build);
}

function* places(siblings: Raw[], parent: string): Generator<Place> {
  const counts = new Map<string, number>();
  for (const node of siblings) {
    const name = nameOf(node);
    if (!name) continue;
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    const path = `${parent}/${name.replace(/^\w+:/, '')}${number > 1 ? `[${number}]` : ''}`;
    yield { siblings, node, name, path };
    yield* places(childrenOf(node), path);
  }
}

/** Makes a change, yields the mutant and takes the change back. */
function* restored(
  place: Place,
  change: () => unknown,
  name: string,
  build: (name: string) => Mutant,
): Generator<Mutant> {
  const before = [...place.siblings];
  change();
  yield build(name);
  place.siblings.splice(0, place.siblings.length, ...before);
}

function* valueMutants(place: Place, build: (name: string) => Mutant): Generator<Mutant> {
  const children = childrenOf(place.node);
  if (children.some((child) => nameOf(child))) return;
  const before = [...children];
  for (const value of otherValues(place.name, textOf(place.node))) {
    children.splice(0, children.length, { [TEXT]: value });
    yield build(`${value === '' ? 'empty' : `"${value}" in`} ${place.path}`);
  }
  children.splice(0, children.length, ...before);
}

const CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M', 'B'];

/** Other values, by what the element's name and value look like. */
function otherValues(name: string, value: string): string[] {
  const local = name.replace(/^\w+:/, '');
  if (/Amount$|Percent$|Quantity$|Numeric$/.test(local) && /^-?[\d.]+$/.test(value)) return otherNumbers(value);
  if (/Date$|DateTimeString$/.test(local))
    return value.includes('-') ? ['2020-01-01', '2030-12-31'] : ['20200101', '20301231', '20301301', '1'];
  if (/Indicator$/.test(local)) return [value === 'true' ? 'false' : 'true'];
  if (CATEGORIES.includes(value)) return ['', 'X', ...CATEGORIES.filter((each) => each !== value)];
  if (/PaymentMeansCode$/.test(local) || (local === 'TypeCode' && /^\d\d$/.test(value)))
    return ['', '1', '30', '48', '58', '59', '99'];
  if (/TypeCode$/.test(local))
    return ['', '50', '130', '380', '381', '384', '326', '916', 'VAT', 'GST'].filter((each) => each !== value);
  if (/CurrencyCode$/.test(local)) return ['', 'USD', 'XYZ'];
  if (/Country|IdentificationCode/.test(local)) return ['', 'AT', 'IT', 'XX', 'de'];
  return ['', 'X', `${value} `.repeat(2).trim()];
}

function otherNumbers(value: string): string[] {
  const moved = (by: number) => (Number(value) + by).toFixed(2);
  return [
    moved(0.01),
    moved(-0.01),
    moved(1),
    moved(-1),
    moved(0.99),
    moved(100),
    `-${value}`,
    '0',
    '0.00',
    `${Number(value).toFixed(2)}1`,
  ];
}

function* attributeMutants({ node, path }: Place, build: (name: string) => Mutant): Generator<Mutant> {
  const attributes = node[ATTRIBUTES] as Record<string, string> | undefined;
  for (const [name, value] of Object.entries(attributes ?? {})) {
    delete attributes![name];
    yield build(`remove ${path}/@${name}`);
    for (const other of ['', 'XX', name === 'currencyID' ? 'USD' : '0088']) {
      attributes![name] = other;
      yield build(`"${other}" in ${path}/@${name}`);
    }
    attributes![name] = value;
  }
  for (const name of ['schemeID', 'listID', 'name', 'schemeName', 'languageID']) {
    if (attributes?.[name] !== undefined || childrenOf(node).some((child) => nameOf(child))) continue;
    const given = (node[ATTRIBUTES] ??= {}) as Record<string, string>;
    given[name] = 'ZZZ';
    yield build(`add ${path}/@${name}`);
    delete given[name];
  }
}

/** Every VAT category becomes another one, with its rate, with rate zero, and without a rate. */
function* categoryMutants(root: Raw, build: (name: string) => Mutant): Generator<Mutant> {
  const all = [...places(childrenOf(root), '')];
  const codes = all.filter(({ name, node }) => /:(?:ID|CategoryCode)$/.test(name) && CATEGORIES.includes(textOf(node)));
  const before = codes.map(({ node }) => textOf(node));
  const set = (place: Place, value: string) => childrenOf(place.node).splice(0, Infinity, { [TEXT]: value });
  for (const category of CATEGORIES) {
    for (const code of codes) set(code, category);
    yield build(`category ${category}`);
    yield* rateMutants(all, `category ${category}`, build);
  }
  codes.forEach((code, at) => set(code, before[at]!));
}

function* rateMutants(all: readonly Place[], name: string, build: (name: string) => Mutant): Generator<Mutant> {
  const rates = all.filter((place) => /:(?:Percent|RateApplicablePercent)$/.test(place.name));
  const values = rates.map(({ node }) => textOf(node));
  for (const { node } of rates) childrenOf(node).splice(0, Infinity, { [TEXT]: '0' });
  yield build(`${name}, rate 0`);
  rates.forEach(({ node }, at) => childrenOf(node).splice(0, Infinity, { [TEXT]: values[at]! }));
  const lists = rates.map(({ siblings }) => [siblings, [...siblings]] as const);
  for (const { siblings, node } of rates) siblings.splice(siblings.indexOf(node), 1);
  yield build(`${name}, no rate`);
  for (const [siblings, before] of lists) siblings.splice(0, siblings.length, ...before);
}
