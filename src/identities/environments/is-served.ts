/** SQL: the environment with the uuid in `column` is not fenced, so that workers may work for it (decisions 7 "Moving"). */
export const isServed = (column: string): string =>
  `not exists (select from environment fenced where fenced.uuid = ${column} and fenced.fence is not null)`;
