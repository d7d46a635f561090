import type { CompiledChanges } from '../../compile/lists';
import { dayOf } from '../../language/expressions/instants';
import { type Listed, type Listing, newDocuments, type Progress } from '../listing';
import { PageReader } from '../paging/pages';
import type { NotReady } from '../waiting-records';

export type MonthsProgress = Progress & {
  /** The month (`YYYY-MM`) up to which everything is listed. */
  readonly month: string;
  /** Earlier months with records that are not ready: they are listed again, too. */
  readonly waiting?: readonly string[];
};

type Months = Extract<CompiledChanges, { strategy: 'months' }>;

/** Lists of one month each, up to the present one. The latest months, and those with records that are not ready, are listed again each time. */
export async function* months(
  listing: Listing,
  { from, recheck }: Months,
  before: MonthsProgress | undefined,
): AsyncGenerator<Listed<MonthsProgress>> {
  const { client, stream, variables, startdate, choice } = listing;
  const present = dayOf(client.session.now().getTime() / 1000, client.zone)!.slice(0, 7);
  // A document may be in the list of the month before the day on which it was issued.
  const first = startdate === null ? from : latest(from, moved(startdate.slice(0, 7), -1));
  const start = before === undefined ? first : latest(first, moved(before.month, 1 - recheck));
  const waiting = new Set(before?.waiting);
  const listed = [...waiting].filter((month) => month >= first && month < start).sort();
  for (let month = start; month <= present; month = moved(month, 1)) listed.push(month);
  for (const month of listed) {
    const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
    const reader = new PageReader(client, stream, { ...variables, month, year, month_number: number });
    const until = before === undefined ? moved(month, -1) : latest(before.month, moved(month, -1));
    let isReady = true;
    const notReady: NotReady = { add: () => (isReady = false), forget: () => undefined };
    for await (const { records } of reader.readAll({})) {
      const documents = await newDocuments(listing, records, notReady);
      if (documents.length > 0) yield { documents, progress: { choice, month: until, waiting: [...waiting] } };
    }
    if (isReady) waiting.delete(month);
    else waiting.add(month);
  }
  yield { documents: [], progress: { choice, month: present, waiting: [...waiting] } };
}

const latest = (a: string, b: string): string => (a > b ? a : b);

/** The month that is this many months later. */
function moved(month: string, by: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 7);
}
