import { createDocfetch, redeemPopupSecret } from '@docfetch/sdk';
import { useEffect, useState } from 'react';
import { type Problem, problemOf } from '../api/problem';
import { Loading } from '../components/loading';
import { ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { usePopupMessages } from '../messages/popup/use-popup-messages';
import { useMessages } from '../messages/use-messages';
import { Layout } from '../session/layout';
import { onMessage, sendMessage } from './popup-messages';

/**
 * The page in a popup of the hosted UI: gets the secret from the page in the frame, exchanges it for the cookie of the
 * authorization, and continues to the provider.
 */
export function PopupPage() {
  const { lang } = useMessages();
  const texts = usePopupMessages();
  const [problem, setProblem] = useState<Problem | null>(null);
  const opener = window.opener as Window | null;
  useEffect(() => {
    // Without its opener, for example because the embedding page isolates itself (Cross-Origin-Opener-Policy), it has no purpose.
    if (!opener) return close();
    const client = createDocfetch({ baseUrl: location.origin, lang });
    const stop = onMessage(
      () => opener,
      (message) => {
        if (message.docfetch !== 'secret') return;
        redeemPopupSecret({ client, body: { secret: message.secret } }).then(
          ({ data }) => location.replace(data.url),
          (error: unknown) => setProblem(problemOf(error)),
        );
      },
    );
    sendMessage(opener, { docfetch: 'ready' });
    return stop;
  }, []);
  return (
    <Layout theme={null}>
      <Page title={texts.leaving}>
        {problem ? <ProblemNotice problem={problem} /> : null}
        {opener ? null : <p className="lead">{texts.close}</p>}
        {opener && !problem ? <Loading /> : null}
      </Page>
    </Layout>
  );
}
