import { Connection } from 'pg';

/** The methods of the driver's connection that its types do not declare. */
export interface DriverConnection {
  startup(parameters: Readonly<Record<string, string>>): void;
  parse(statement: { readonly name?: string; readonly text: string }): void;
  query(text: string): void;
}

const driver = Connection.prototype as unknown as DriverConnection;

/**
 * Statements whose effect lasts longer than their transaction. Behind a pooler in transaction mode, another session may execute the
 * next transaction, and another client may get this one. Without `set names`, which the migrator sends: migrations need a session anyway.
 */
export const OF_SESSION =
  /(?:^|;)\s*(?:listen|unlisten|discard|deallocate|prepare|declare|set\s+(?!local\b|names\b)|create\s+temp\w*)\b|\bpg_(?:try_)?advisory_(?:un)?lock|\bset_config\([^)]*,\s*false\s*\)/i;

const found: string[] = [];

/**
 * From now on, records such statements on the connections of the service, which have a name that begins with `docfetch`. Tests open
 * connections without one, and so does the migration step, which needs a session.
 */
export function recordSessionStatements(): void {
  const { startup, parse, query } = driver;
  const ofService = new WeakSet<DriverConnection>();
  const check = (connection: DriverConnection, text: string) => {
    if (OF_SESSION.test(text) && ofService.has(connection)) found.push(text);
  };
  driver.startup = function (parameters) {
    if (parameters.application_name?.startsWith('docfetch')) ofService.add(this);
    startup.call(this, parameters);
  };
  driver.parse = function (statement) {
    check(this, statement.text);
    parse.call(this, statement);
  };
  driver.query = function (text) {
    check(this, text);
    query.call(this, text);
  };
}

/** Returns the statements since the last call and clears them. */
export const takeSessionStatements = (): string[] => found.splice(0);
