/**
 * SQL: the environment with the uuid in `column` is here and not fenced, so that workers may work for it (decisions 7 "Moving"). While an
 * environment is imported, its data keys and documents are here before it is.
 */
export const isServed = (column: string): string =>
  `exists (select from environment served where served.uuid = ${column} and served.fence is null)`;
