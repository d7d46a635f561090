import type { Item } from './drive-state';

type Test = (item: Item) => boolean;

/** Parses a search query as the API's guide "Search for files and folders" describes it. Null when it is invalid. */
export function parseQuery(q: string): Test | null {
  const tokens = q.match(/'(?:\\.|[^'\\])*'|[()]|<=|>=|!=|=|<|>|[A-Za-z]+/g) ?? [];
  if (q.replaceAll(/'(?:\\.|[^'\\])*'|[()]|<=|>=|!=|=|<|>|[A-Za-z]+|\s/g, '') !== '') return null;
  let at = 0;
  const text = (token: string | undefined): string => {
    if (!token?.startsWith("'")) throw new SyntaxError(`A text is expected, not ${token}.`);
    return token.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  };
  const any = (): Test => {
    let test = all();
    while (tokens[at] === 'or') {
      at++;
      const [left, right] = [test, all()];
      test = (item) => left(item) || right(item);
    }
    return test;
  };
  const all = (): Test => {
    let test = one();
    while (tokens[at] === 'and') {
      at++;
      const [left, right] = [test, one()];
      test = (item) => left(item) && right(item);
    }
    return test;
  };
  const one = (): Test => {
    const token = tokens[at++];
    if (token === '(') {
      const inner = any();
      if (tokens[at++] !== ')') throw new SyntaxError('A parenthesis is not closed.');
      return inner;
    }
    if (token?.startsWith("'")) {
      if (tokens[at++] !== 'in' || tokens[at++] !== 'parents') throw new SyntaxError('Only parents have members.');
      return ({ parent }) => parent === text(token);
    }
    const [operator, value] = [tokens[at++], tokens[at++]];
    if (token === 'sharedWithMe' && operator === '=')
      return (item) => String(item.sharedWithMeTime !== undefined) === value;
    if (token === 'trashed' && operator === '=') return ({ trashed }) => String(trashed) === value;
    if (token === 'mimeType' && operator === '=') return ({ mimeType }) => mimeType === text(value);
    throw new SyntaxError(`${token} ${operator} is not known.`);
  };
  try {
    const test = any();
    return at === tokens.length ? test : null;
  } catch {
    return null;
  }
}
