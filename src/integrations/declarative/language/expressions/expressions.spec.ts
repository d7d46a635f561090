import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTemplate } from '../template';
import { CONVERTERS } from './converters';
import { ExpressionError, type Scope } from './evaluate';
import { Names } from './names';
import { parseCondition, parseExpression } from './parse';

const RECORD = {
  id: 7,
  number: ' RE-1 ',
  blank: '  ',
  nothing: null,
  no: false,
  total: 11900,
  net: '100.5',
  currency: 'eur',
  status: 'open',
  paid: 1_767_225_600,
  huge: 8.937e15,
  date: '2026-03-31T22:30:00Z',
  contact: { name: 'Müller', country: 'de' },
  taxes: [
    { type: 'gst', value: null },
    { type: 'eu_vat', value: 'DE1' },
    { type: 'at_vat', value: 'AT2' },
  ],
  lines: [{ files: [] }, { files: [{ id: 'f1' }, { id: 'f2' }] }],
  url: 'https://pay.test/invoice/acct_1x/live_2/pdf?s=ap',
};
const scope: Scope = { record: RECORD, variables: { id: 'v', list: ['a'] }, zone: 'Europe/Berlin' };
const names = Names.of('id', 'list');
const value = (text: string) => parseExpression(text, names)(scope);
const holds = (text: string) => parseCondition(text, names)(scope);

describe('An expression', () => {
  it.each([
    ['id', 7],
    ['contact.name', 'Müller'],
    ['no', false],
    ['taxes.value', 'DE1'],
    ['taxes[0].type', 'gst'],
    ['taxes[type=at_vat].value', 'AT2'],
    ['taxes[type$=_vat].value', 'DE1'],
    ['taxes[type^=at].value', 'AT2'],
    ['lines.files.id', 'f1'],
    ['lines[1].files[1].id', 'f2'],
    ['$id', 'v'],
    ['$list[0]', 'a'],
    ["'a text'", 'a text'],
    ["blank ?? nothing ?? missing ?? 'last'", 'last'],
    ['(missing ?? currency) | upper', 'EUR'],
  ])('%s is read', (text, expected) => expect(value(text)).toEqual(expected));

  it.each([
    'blank',
    'nothing',
    'missing',
    'contact.name.length',
    'toString',
    '__proto__',
    'contact.constructor',
    'id.x',
    'taxes[9]',
  ])('%s is absent', (text) => expect(value(text)).toBeUndefined());

  it.each([
    ['number | text', 'RE-1'],
    ['currency | upper', 'EUR'],
    ['number | lower', 're-1'],
    ['contact.country | country', 'DE'],
    ['number | country', undefined],
    ['currency | currency', 'EUR'],
    ['net | decimal', '100.50'],
    ['total | cents', '119.00'],
    ['total | minor currency', '119.00'],
    ["total | minor 'jpy'", '11900'],
    ["total | minor 'KWD'", '11.900'],
    ["'-5' | abs", '5'],
    ["'-5' | not_negative", undefined],
    ["'0.00' | nonzero", undefined],
    ['net | floor', 100],
    ['net | ceil', 101],
    ["'0.3' | minus '0.1'", 0.2],
    ['paid | day', '2026-01-01'],
    ['date | day', '2026-03-31'],
    ["date | plus_days '14'", '2026-04-14'],
    ["'/Date(1573755038314+0000)/' | iso", '2019-11-14T18:10:38Z'],
    ["'/Date(1573776000000)/' | day", '2019-11-15'],
    ["'/Date(99999999999999999)/' | day", undefined],
    ["contact.name | append '/A'", 'Müller/A'],
    ['contact.name | append missing', 'Müller'],
    ["missing | append 'A'", undefined],
    ["'1' | nanos '750000000'", '1.75'],
    ["'-1' | nanos '-5000000'", '-1.005'],
    ["'20' | nanos missing", '20.00'],
    ["'2028-02' | month_start", '2028-02-01'],
    ["'2028-02' | month_end", '2028-02-29'],
    ["'02-2028' | month_end", '2028-02-29'],
    ["'13-2028' | month_end", undefined],
    ['date | month_end', '2026-03-31'],
    ["'2026-13' | month_end", undefined],
    ['date | seconds', 1774996200],
    ["'2026-07-01' | seconds", 1782856800],
    ["'1782856800000' | milliseconds | iso", '2026-06-30T22:00:00Z'],
    ["'2026-07-01 12:00:00' | iso", '2026-07-01T10:00:00Z'],
    ['paid | local', '2026-01-01 01:00:00'],
    ["'9000000000000000' | text | iso", undefined],
    ['huge | iso', undefined],
    ['huge | day', undefined],
    ['huge | local', undefined],
    ['huge | seconds', undefined],
    ["huge | plus_days '1'", undefined],
    ["'999999999999' | iso", undefined],
    ["'9999-12-31' | plus_days '9999'", undefined],
    ["'0001-01-01T00:00:00' | local", undefined],
    ['huge | latest paid', 1_767_225_600],
    ["date | latest '2026-05-01'", '2026-05-01'],
    ['missing | latest paid', 1_767_225_600],
    ['contact.name | join $id', 'Müller v'],
    ['missing | join contact.name', 'Müller'],
    ['status | map open=OPEN paid=PAID', 'OPEN'],
    ['status | map draft=DRAFT', undefined],
    ['id | when status=open,paid', 7],
    ['id | when total<100', undefined],
    ['url | segment acct_', 'acct_1x'],
    ['url | segment none_', undefined],
  ])('%s is converted', (text, expected) => expect(value(text)).toEqual(expected));

  it.each([
    ['', 'a name is missing'],
    ['a..b', 'a name is missing'],
    ['$unknown', 'there is no $unknown here; there is $id, $list'],
    ['a | eval', 'there is no converter eval'],
    ['a | constructor', 'there is no converter constructor'],
    ['a | map', 'map needs an argument'],
    ['(a', 'a ")" is missing'],
    ['a b', '"b" is not understood'],
    [`${'('.repeat(40)}a`, 'too many parentheses'],
    ['a'.repeat(501), 'at most 500 characters'],
  ])('%s is refused', (text, reason) => {
    expect(() => value(text)).toThrow(ExpressionError);
    expect(() => value(text)).toThrow(reason);
  });

  it('has converters that the language reference explains, and no others', () => {
    const page = readFileSync(join(__dirname, '../../../../../docs/integrate/provider-language.md'), 'utf8');
    const section = page.slice(page.indexOf('## Converters'));
    const explained = [...section.slice(0, section.indexOf('\n## ', 3)).matchAll(/^\| `(\w+)[^`]*`/gm)].map(
      ([, name]) => name,
    );
    expect(explained.sort()).toEqual(Object.keys(CONVERTERS).sort());
  });
});

describe('A condition', () => {
  it.each([
    'status=open',
    'status = draft, open',
    'status!=draft',
    'total>=11900',
    'total>1',
    'total<=11900',
    'contact.name',
    'missing!=x',
    'id<8',
    'contact.name | when status!=draft',
  ])('%s holds', (text) => expect(holds(text)).toBe(true));
  it.each(['status=draft', 'status!=open', 'total>11900', 'missing', 'no', 'missing=', 'missing>0', 'status>1'])(
    '%s does not hold',
    (text) => expect(holds(text)).toBe(false),
  );
  it('with a comparison of something else than a number is refused', () => {
    expect(() => holds('total>many')).toThrow('"many" is no number');
  });
});

describe('A template', () => {
  const filled = (text: string) => parseTemplate(text, names, encodeURIComponent)(scope);
  it('contains values, percent-encoded in paths, and keeps the type of a single one', () => {
    expect(filled('/i/{contact.name}/{id}')).toBe('/i/M%C3%BCller/7');
    expect(filled('{total}')).toBe(11900);
    expect(filled('plain')).toBe('plain');
  });
  it('is absent when a value is, or is no scalar', () => {
    expect(filled('/i/{missing}')).toBeUndefined();
    expect(filled('/i/{contact}')).toBeUndefined();
  });
  it('with a lonely brace is refused', () => expect(() => filled('/i/{id')).toThrow('a brace is missing'));
});
