import type { UiTheme } from '@docfetch/sdk';
import { Link } from 'react-aria-components';
import type { Problem } from '../api/problem';
import { ProblemNotice } from '../parts/notice';
import { Page } from '../parts/page';
import { useWords } from '../words/use-words';
import { Frame } from './frame';
import type { Arrival } from './token';

interface FarewellProps {
  readonly end: Problem | 'no-session';
  /** How an authorisation ended that a client's backend had begun: that is all there is to say. */
  readonly authorization?: Arrival['ended'];
  readonly theme: UiTheme | null;
  readonly returnUrl: string | null;
  readonly retry: () => void;
}

/** When there is no session: none yet, none any more, or none that could be begun. */
export function Farewell({ end, authorization = null, theme, returnUrl, retry }: FarewellProps) {
  const { words } = useWords();
  const { title, text } = authorization ? faceOf(authorization, words.authorization) : facesOf(end, words.expiry);
  const name = theme?.name ?? null;
  const isNetwork = end !== 'no-session' && end.kind === 'network';
  const untold = isNetwork ? words.problem.networkTitle : words.problem.server;
  return (
    <Frame theme={theme}>
      <Page title={title ?? untold} key={title}>
        {title === null && end !== 'no-session' ? (
          <ProblemNotice problem={end} retry={retry} titled={false} />
        ) : (
          <p className="lead">{text}</p>
        )}
        {returnUrl ? (
          <p className="actions">
            <Link className="action primary" href={returnUrl}>
              {name ? words.leave.to(name) : words.leave.plain}
            </Link>
          </p>
        ) : null}
      </Page>
    </Frame>
  );
}

function facesOf(
  end: Problem | 'no-session',
  words: ReturnType<typeof useWords>['words']['expiry'],
): { title: string | null; text: string } {
  if (end === 'no-session') return { title: words.noSessionTitle, text: words.noSessionText };
  if (end.kind === 'expired') return { title: words.title, text: words.text };
  if (end.kind === 'invalid-token') return { title: words.invalidTitle, text: words.invalidText };
  return { title: null, text: '' };
}

/** How an authorisation ended, and why when it did not succeed. */
function faceOf(
  { result, code }: NonNullable<Arrival['ended']>,
  { outcome, ...faces }: ReturnType<typeof useWords>['words']['authorization'],
): { title: string; text: string } {
  const { title, text } = faces[result];
  const known = result === 'error' && code !== null && code in outcome;
  return { title, text: known ? outcome[code as keyof typeof outcome] : text };
}
