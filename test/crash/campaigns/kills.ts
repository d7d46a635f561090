/**
 * How often the crash tests kill a worker that fetches from a mailbox; the others kill a part of it. Few enough for every change:
 * each kill costs the start of a process. `CRASH_KILLS=200` for a thorough run.
 */
export const MAILBOX_KILLS = Number(process.env.CRASH_KILLS ?? 80);
