import fc from 'fast-check';
import type { ModelConnection } from '../model';
import { connectionStep, step } from './step';

const HOUR_MS = 3_600_000;
/** spec 4.6 rule 1. */
const PER_HOUR = 5;
/** The time that a request may take: which side of a limit it meets is open. */
const TOLERANCE_MS = 10_000;
/** spec 4.6 rule 2: due within a minute, or overdue while no worker runs. */
const [DUE_SOON_MS, OVERDUE_MS] = [60_000, 120_000];

interface Shown {
  readonly status: string;
  readonly next_fetch_at: string | null;
}

export const fetchNow = fc.record({ connection: fc.nat(59) }).map((given) =>
  connectionStep('fetch now', given, async (target, modelRun) => {
    const { client } = modelRun.tenants[target.strategy];
    const path = `/v1/connections/${target.uuid}`;
    const show = async () => (await client.request('get', path).expect(200)).body as { data: Shown };
    const before = await show();
    const now = modelRun.service.now();
    const answer = await client.request('post', `${path}/fetch-now`);
    modelRun.count(`fetch now: ${answer.status}`);
    if (!allowedAnswers(target, before.data, now).includes(answer.status)) {
      // A fetch has ended since: it has rescheduled the connection, or confirmed that the credentials are wrong.
      expect(allowedAnswers(target, (await show()).data, now)).toContain(answer.status);
    }
    if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    if (answer.status !== 202) return;
    target.manualFetches.push({ at: now, fetch: (answer.body as { uuid: string }).uuid });
  }),
);

/** The statuses with which the request may be answered (spec 4.6). */
function allowedAnswers({ manualFetches }: ModelConnection, { status, next_fetch_at: next }: Shown, now: number) {
  if (status !== 'ACTIVE') return [422];
  const since = (ms: number) => manualFetches.filter(({ at }) => at > now - ms).length;
  const dueInMs = next === null ? Infinity : Date.parse(next) - now;
  const isDueSoon = dueInMs < DUE_SOON_MS + TOLERANCE_MS && dueInMs > -OVERDUE_MS - TOLERANCE_MS;
  return [
    ...(isDueSoon ? [409] : []),
    ...(since(HOUR_MS - TOLERANCE_MS) < PER_HOUR ? [202] : []),
    ...(since(HOUR_MS + TOLERANCE_MS) >= PER_HOUR ? [429] : []),
  ];
}

/** Longer than the pauses that endpoints and portals need, shorter than the retention of anything. */
const MAX_ADVANCE = 4 * 86_400;

/** The clock advances: scheduled fetches, retries of pushes and trials of a circuit become due. */
export const advanceClock = fc
  .record({ seconds: fc.constantFrom(1, 31, 61, 600, 1800, 3601, 14_401, 46_800) })
  .map((given) =>
    step(
      'advance the clock',
      given,
      async (model, { service }) => {
        model.advanced += given.seconds;
        await service.advance(given.seconds);
      },
      (model) => model.advanced + given.seconds <= MAX_ADVANCE,
    ),
  );
