import type { UiTheme } from '@docfetch/sdk';
import { useEffect } from 'react';
import type { Problem } from '../api/problem';
import { sendMessage } from '../authorize/popup-messages';
import { ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { useMessages } from '../messages/use-messages';
import { Action } from '../components/action';
import { Layout } from './layout';
import type { PageLink } from './page-link';
import type { SessionStart } from './session-start';

interface SessionEndedProps {
  readonly end: Problem | 'no-session';
  /** Result of an authorization that the client's backend started; there is no session to continue with. */
  readonly authorization?: SessionStart['externalAuthorization'];
  readonly theme: UiTheme | null;
  readonly returnUrl: string | null;
  readonly page: PageLink | null;
  readonly retry: () => void;
}

/** Shown when there is no session: it was not opened, has ended, or could not be loaded. */
export function SessionEnded({ end, authorization = null, theme, returnUrl, page, retry }: SessionEndedProps) {
  const { messages } = useMessages();
  useEffect(() => {
    const opener = window.opener as Window | null;
    if (!opener || !authorization) return;
    // A popup reports the result to the hosted UI that has opened it, which closes the popup.
    sendMessage(opener, { docfetch: 'result', ...authorization });
  }, [authorization]);
  const { title, text } = authorization
    ? authorizationText(authorization, messages.authorization)
    : sessionEndText(end, messages.expiry);
  const name = theme?.name ?? null;
  const leave = name ? messages.leave.to(name) : messages.leave.plain;
  const leaveVariant = title === null ? 'plain' : 'primary';
  const isNetwork = end !== 'no-session' && end.kind === 'network';
  const problemTitle = isNetwork ? messages.problem.networkTitle : messages.problem.server;
  return (
    <Layout theme={theme}>
      <Page title={title ?? problemTitle} key={title}>
        {title === null && end !== 'no-session' ? (
          <ProblemNotice problem={end} retry={retry} titled={false} />
        ) : (
          <p className="lead">{text}</p>
        )}
        {returnUrl ? (
          <p className="actions">
            {page ? (
              <Action variant={leaveVariant} onPress={() => page.finish(null, returnUrl)}>
                {leave}
              </Action>
            ) : (
              <a className={`action ${leaveVariant}`} href={returnUrl}>
                {leave}
              </a>
            )}
          </p>
        ) : null}
      </Page>
    </Layout>
  );
}

function sessionEndText(
  end: Problem | 'no-session',
  messages: ReturnType<typeof useMessages>['messages']['expiry'],
): { title: string | null; text: string } {
  if (end === 'no-session') return { title: messages.noSessionTitle, text: messages.noSessionText };
  if (end.kind === 'expired') return { title: messages.title, text: messages.text };
  if (end.kind === 'invalid-token') return { title: messages.invalidTitle, text: messages.invalidText };
  return { title: null, text: '' };
}

/** The title and the text for the result of an authorization. There is no link back to the client. */
function authorizationText(
  { result, code }: NonNullable<SessionStart['externalAuthorization']>,
  { outcome, goBack, ...texts }: ReturnType<typeof useMessages>['messages']['authorization'],
): { title: string; text: string } {
  const { title, text } = texts[result];
  const known = result === 'error' && code !== null && code in outcome;
  return { title, text: known ? `${outcome[code as keyof typeof outcome]} ${goBack}` : text };
}
