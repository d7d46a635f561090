export const CONNECTION_STATUSES = ['ACTIVE', 'PENDING', 'INVALID_CREDENTIALS', 'DISABLED'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** The columns from which the status is derived. */
export interface StatusFields {
  readonly disabledAt?: Date | null;
  readonly credentialsRejectedAt?: Date | null;
  readonly setupCompletedAt?: Date | null;
}

interface StatusRule {
  readonly property: keyof StatusFields;
  readonly column: string;
  /** The rule applies if the column has a value, or if it is null. */
  readonly applies: 'with a value' | 'while null';
  readonly status: ConnectionStatus;
}

/**
 * decisions 4: disabled takes precedence, then rejected credentials, then an incomplete setup; otherwise the status is `ACTIVE`.
 * The rule for objects and for queries is derived from this table. It is in this module, because identities count their
 * connections by status.
 */
const RULES: readonly StatusRule[] = [
  { property: 'disabledAt', column: 'disabled_at', applies: 'with a value', status: 'DISABLED' },
  {
    property: 'credentialsRejectedAt',
    column: 'credentials_rejected_at',
    applies: 'with a value',
    status: 'INVALID_CREDENTIALS',
  },
  { property: 'setupCompletedAt', column: 'setup_completed_at', applies: 'while null', status: 'PENDING' },
];

export function statusOf(state: StatusFields): ConnectionStatus {
  const rule = RULES.find(({ property, applies }) => (state[property] == null) === (applies === 'while null'));
  return rule?.status ?? 'ACTIVE';
}

/** SQL: the status of a row of the table `connection`, by its alias. */
export function statusSql(alias: string): string {
  const branches = RULES.map(
    ({ column, applies, status }) =>
      `when ${alias}.${column} is ${applies === 'while null' ? '' : 'not '}null then '${status}'`,
  );
  return `case ${branches.join(' ')} else 'ACTIVE' end`;
}
