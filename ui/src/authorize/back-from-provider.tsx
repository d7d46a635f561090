import { getConnection } from '@docfetch/sdk';
import { useEffect } from 'react';
import { useLoad } from '../api/use-load';
import { flash } from '../parts/flash';
import { Loading } from '../parts/loading';
import { ProblemNotice } from '../parts/notice';
import { Page } from '../parts/page';
import { go } from '../route';
import { useSession } from '../session/session';
import type { Arrival } from '../session/token';
import { useWords } from '../words/use-words';
import { useGoOnward } from './use-go-onward';

/** Just back from a provider: says what came of it, and goes on where it leads. */
export function BackFromProvider({
  authorized: { connection: uuid, result, code },
  done,
}: {
  authorized: NonNullable<Arrival['authorized']>;
  done: () => void;
}) {
  const { words } = useWords();
  const { client, failed } = useSession();
  const goOnward = useGoOnward();
  const { data, problem, reload } = useLoad(async () => (await getConnection({ client, path: { uuid } })).data, uuid);
  useEffect(() => {
    if (!data) return;
    if (result === 'success') goOnward(data);
    else {
      if (result === 'error') failed();
      flash(words.authorization.outcome[code], result === 'cancelled' ? 'info' : 'warning');
      go({ view: 'connection', uuid }, 'replace');
    }
    done();
  }, [data]);
  if (problem)
    return (
      <Page title={words.overview.title}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  return <Loading />;
}
