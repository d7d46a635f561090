import type { UiTheme } from '@docfetch/sdk';
import { useMessages } from '../../messages/use-messages';
import { SessionLayout } from '../../session/session-layout';
import { NO_SESSION } from '../../session/session-start';
import { sampleSession } from './sample/sample-session';

/** The hosted UI itself with sample data: whatever it requests is answered in this page. */
export function PreviewView({ theme }: { readonly theme: UiTheme }) {
  const { lang } = useMessages();
  return (
    <SessionLayout
      token="preview"
      session={sampleSession(theme, lang)}
      sessionStart={NO_SESSION}
      page={null}
      storeReturnUrl={() => undefined}
    />
  );
}
