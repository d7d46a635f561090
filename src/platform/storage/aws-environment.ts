/** The variables that decide where a process at AWS gets its access keys from. Their names are those of AWS, not settings of this service. */
const VARIABLES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_ROLE_ARN',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
] as const;

/** What is set of {@link VARIABLES}; empty counts as not set. The SDK of AWS reads the values again, and further variables. */
export function awsEnvironment(): Partial<Record<(typeof VARIABLES)[number], string>> {
  return Object.fromEntries(VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
