import { setImmediate as turn } from 'node:timers/promises';
import { currentLogFields, withLogFields } from './work-scope';

describe('The fields of work', () => {
  it('are those of its own asynchronous steps only, together with those of the work around it', async () => {
    const seen: unknown[] = [];
    const work = (id: string) =>
      withLogFields({ fetch_uuid: id }, async () => {
        await turn();
        await withLogFields({ transaction_uuid: `${id}1` }, async () => {
          await turn();
          seen.push(currentLogFields());
        });
        seen.push(currentLogFields());
      });
    await Promise.all([work('a'), work('b')]);
    expect(seen).toEqual(
      expect.arrayContaining([
        { fetch_uuid: 'a', transaction_uuid: 'a1' },
        { fetch_uuid: 'b', transaction_uuid: 'b1' },
        { fetch_uuid: 'a' },
        { fetch_uuid: 'b' },
      ]),
    );
    expect(currentLogFields()).toBeUndefined();
  });
});
