import type { Connection } from '@docfetch/sdk';
import { stateOf } from '../api/next-step';
import { sayMoment, sayNext } from '../words/moments';
import { useWords } from '../words/use-words';

/** How a connection does, as a word with a mark; never by colour alone. */
export function State({ connection }: { connection: Connection }) {
  const { words } = useWords();
  const { word, tone } = stateOf(connection);
  return (
    <span className={`state ${tone}`}>
      <span className="state-dot" aria-hidden="true" />
      {words.status[word]}
    </span>
  );
}

/** When it was fetched and will be, in sentences. */
export function Schedule({ connection }: { connection: Connection }) {
  const { words, lang } = useWords();
  const { last_fetch: last, last_success_at: success, next_fetch_at: next, status } = connection;
  const said: string[] = [];
  if (status === 'DISABLED') said.push(words.fetched.paused);
  if (last?.finished_at) {
    const when = sayMoment(last.finished_at, lang, words.when);
    if (last.status === 'SUCCEEDED' || last.status === 'PARTIAL')
      said.push(words.fetched.last(when, last.documents_new));
    else if (success) said.push(words.fetched.success(sayMoment(success, lang, words.when)));
    else said.push(words.fetched.failed(when));
  } else if (last) said.push(words.fetched.running);
  else if (status === 'ACTIVE') said.push(words.fetched.never);
  if (next) said.push(words.fetched.next(sayNext(next, lang, words.when)));
  return (
    <p className="schedule">
      {said.map((sentence) => (
        <span key={sentence}>{sentence} </span>
      ))}
    </p>
  );
}
