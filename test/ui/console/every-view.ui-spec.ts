import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { emptyStops, filledStops, foreignStops, marksOf, refusedStops, supportStops } from '../harness/console/stops';
import { type ConsoleVisit, openConsole } from '../harness/console-visit';
import { fillEnvironment, type ManyRows } from '../harness/console/many-rows';
import { type Lang, LANGUAGES, useUi } from '../harness/ui-context';
import { type Stop, walk, type Width } from '../harness/console/walk';

const ui = useUi();
const MANY = 100_000;
/** The tables are filled in half a minute, by a busy machine in minutes. */
const FILL_MS = 600_000;
/** axe and the tab key take most of it. */
const WALK_MS = 600_000;
const ROLES = ['DEVELOPER', 'SUPPORT'] as const;
type Role = (typeof ROLES)[number];
/** The API gives no more entries at once; the lists of the console ask for fewer. */
const MOST_ENTRIES = 100;
const SESSIONS = ROLES.flatMap((role) => LANGUAGES.map((lang): [Role, Lang] => [role, lang]));

let rows: ManyRows;
let empty: TestClient;

beforeAll(async () => {
  rows = await fillEnvironment(ui, MANY);
  empty = await createTestClient(ui.app, { environment: { clientName: 'Leer', name: 'Test' } });
}, FILL_MS);

/** The paths of all views. The file cannot be imported here: it refers to components. */
const paths = (): string[] => {
  const source = readFileSync(join(__dirname, '../../../console/src/views/views.ts'), 'utf8');
  return [...source.matchAll(/^ {2,4}(?:\{ )?path: '([^']*)'/gm)].map(([, path]) => path!);
};

/**
 * The structure of a view is the same in both languages and for both roles, and axe takes most of the time: it and the keyboard check the views of the
 * first language, those of developers at 320 pixels and those of the support team at 1280.
 */
const AXE_AT: Readonly<Record<Role, Width>> = { DEVELOPER: 320, SUPPORT: 1280 };

async function walkAll(role: Role, visit: ConsoleVisit, stops: readonly Stop[]): Promise<void> {
  const { page, lang } = visit;
  const { rows: shown, ...found } = await walk(visit, stops, lang === LANGUAGES[0] ? AXE_AT[role] : undefined);
  const expected = stops.flatMap(({ address, list }) => (list ? [[address, list[1]]] : []));
  expect(shown).toEqual(Object.fromEntries(expected));
  expect(found).toEqual({
    ...{ tooWide: [], brokenWords: [], violations: [], keyboard: [], leaks: [] },
    mostEntries: expect.any(Number),
  });
  expect(found.mostEntries).toBeLessThanOrEqual(MOST_ENTRIES);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(lang);
  expect([...new Set(stops.map(({ view }) => view))].sort()).toEqual(paths().sort());
}

describe.each(SESSIONS)('every view of a %s (%s)', (role, lang) => {
  const supported = role === 'SUPPORT' ? supportStops(lang) : refusedStops(lang);

  it(
    'shows its data, page by page, in an environment with 100,000 rows',
    async () => {
      const visit = await openConsole(ui, lang, { role });
      await walkAll(role, visit, [...filledStops(lang, rows), ...supported]);
    },
    WALK_MS,
  );

  it(
    'says that there is nothing in an empty environment',
    async () => {
      await ui.query('delete from console_session where environment_uuid = $1', [empty.environmentUuid]);
      const visit = await openConsole(ui, lang, { role, environmentUuid: empty.environmentUuid });
      const hidden = role === 'DEVELOPER' ? marksOf(rows) : [];
      const stops = [...emptyStops(lang, role, randomUUID()), ...foreignStops(rows), ...supported];
      await walkAll(
        role,
        visit,
        stops.map((stop) => ({ ...stop, hidden })),
      );
    },
    WALK_MS,
  );
});
