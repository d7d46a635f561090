import type { Client } from 'pg';
import { assertSupportedServer } from './assert-supported-server';

const assert = (version: string, encoding: string) => {
  const number = Number(version.split('.')[0]) * 10_000;
  return assertSupportedServer({ query: async () => ({ rows: [{ version, number, encoding }] }) } as unknown as Client);
};

describe('A database server', () => {
  it('is refused when it is older than the schema requires, whatever its encoding', async () => {
    const refusal = 'the database runs on PostgreSQL 16.10. Docfetch needs 17 or newer.';
    await expect(assert('16.10', 'UTF8')).rejects.toThrow(refusal);
    await expect(assert('16.10', 'LATIN1')).rejects.toThrow(refusal);
  });

  it('is accepted from version 17 on', async () => {
    await expect(assert('17.0', 'UTF8')).resolves.toBeUndefined();
  });

  it('is refused when the database cannot hold every character', async () => {
    await expect(assert('18.4', 'SQL_ASCII')).rejects.toThrow(/the encoding SQL_ASCII\. Create it with UTF8/);
  });
});
