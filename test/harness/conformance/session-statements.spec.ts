import { OF_SESSION } from './session-statements';

describe('OF_SESSION', () => {
  it.each([
    'listen changes',
    'begin; set statement_timeout = 1000',
    "SET search_path = 'a'",
    'select pg_advisory_lock($1)',
    'select pg_try_advisory_lock(1)',
    'select pg_advisory_unlock($1)',
    "select set_config('synchronous_commit', 'off', false)",
    'create temporary table found (uuid uuid)',
    'prepare read as select 1',
    'declare rows cursor with hold for select 1',
    'discard all',
  ])('finds `%s`', (text) => {
    expect(OF_SESSION.test(text)).toBe(true);
  });

  it.each([
    'begin; set local lock_timeout = 1000',
    "set names 'utf8';",
    'update fetch set prepared = true',
    "select pg_advisory_xact_lock_shared(hashtextextended('listen', 0))",
    'select pg_try_advisory_xact_lock(1)',
    "select set_config('synchronous_commit', 'off', true)",
  ])('accepts `%s`', (text) => {
    expect(OF_SESSION.test(text)).toBe(false);
  });
});
