/** How a list is read, from the parameters of its operation. */

/** The pages of a list and the parameters of its requests. */
export function pageOf({ query: names }, unknown) {
  const find = (word) => names.find((name) => word.test(name));
  const size = find(/^(per_?page|page_?size|limit|size|count)$/i);
  const withSize = (place) => ({ ...place, ...(size !== undefined && { [size]: '{$size}' }) });
  const [number, offset] = [find(/^(page|page_?number)$/i), find(/^(offset|skip)$/i)];
  const page = (style) => ({ style, size: 100 });
  if (number) return { page: page('number'), query: withSize({ [number]: '{$page}' }) };
  if (offset) return { page: page('offset'), query: withSize({ [offset]: '{$offset}' }) };
  const after = find(/^(starting_?after|after|after_?id)$/i);
  if (after) return { page: page('after'), query: withSize({ [after]: '{$after}' }) };
  unknown.push(`How the pages of a list follow each other${find(/cursor|token/i) ? ': it has a cursor' : ''}.`);
  return { page: undefined, query: {} };
}

/** How the new records of a list are found. Adds the parameter of the filter to the query. */
export function changesOf({ query: names }, { properties }, query) {
  const since = names.find((name) =>
    /(updated|modified|changed).*(since|from|after|gte?)|(since|after).*(updated|modified)/i.test(name),
  );
  const at = Object.keys(properties).find((name) => /^(updated|modified|changed|last_?modified)/i.test(name));
  if (since === undefined || at === undefined) return { strategy: 'snapshot' };
  query[since] = '{$since | iso}';
  return { strategy: 'updated_since', at, overlap: '1h', recheck: '7d' };
}
