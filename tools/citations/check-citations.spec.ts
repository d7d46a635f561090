import { addressesOf, brokenCitations } from './check-citations';

const PAGE = `
# Title
## 4. Resources
**Field.** One description.
### 4.6 Request a fetch
1. At most five.
2. While one is due.
## 6. Events
**Isolation.** No client waits.
## Not built yet
1. Not a rule.
`;
const pages = { spec: addressesOf(PAGE), decisions: addressesOf(PAGE) };

describe('addressesOf', () => {
  it('lists sections, numbered rules and terms in bold', () => {
    expect([...addressesOf(PAGE)]).toEqual(['4', '4 "Field"', '4.6', '4.6 rule 1', '4.6 rule 2', '6', '6 "Isolation"']);
  });
});

describe('brokenCitations', () => {
  it.each(['spec 4.6 rule 2', 'decisions 6 "Isolation"', 'decisions 4 and 6', 'RFC 9457, spec 4.6'])(
    'accepts %s',
    (citation) => {
      expect(brokenCitations(`/** A rule (${citation}). */`, pages)).toEqual([]);
    },
  );

  it.each([
    ['spec 4.7', '2: docs/spec.md has no 4.7'],
    ['spec 4.6 rule 3', '2: docs/spec.md has no 4.6 rule 3'],
    ['decisions 4 and 5', '2: docs/decisions.md has no 5'],
    ['decisions 6 "Push"', '2: docs/decisions.md has no 6 "Push"'],
    ['contract 6', '2: cite "decisions", not "contract"'],
  ])('reports %s with its line', (citation, problem) => {
    expect(brokenCitations(`\n// ${citation}`, pages)).toEqual([problem]);
  });
});
