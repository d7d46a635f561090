import { previewTheme } from '@docfetch/sdk';
import { useState } from 'react';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { SAMPLE_INTEGRATION, SAMPLE_SOURCE } from '../../../../ui/src/theme/preview/sample/sample-ids';
import { Section } from '../../components/page';
import { useDebounced } from '../../components/use-debounced';
import { SelectField } from '../../form/small-fields';
import { useData } from '../../components/use-data';
import { useConsole } from '../../session/console-session';
import { useThemeViewMessages } from './messages/use-theme-view-messages';
import type { themeOf } from './theme-draft';

const PAGES = {
  home: '#/',
  choose: '#/connect',
  connect: `#/connect/${SAMPLE_INTEGRATION}`,
  connection: `#/sources/${SAMPLE_SOURCE}`,
} as const;
type PageName = keyof typeof PAGES;

/** The hosted UI itself with sample data, in both color schemes, with what is entered and not yet saved. */
export function ThemePreview({
  environmentUuid,
  theme,
}: {
  readonly environmentUuid: string;
  readonly theme: ReturnType<typeof themeOf>;
}) {
  const messages = useThemeViewMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const [page, setPage] = useState<PageName>('home');
  const key = useDebounced(JSON.stringify(theme));
  const { data, problem, loading } = useData(
    async () =>
      (
        await previewTheme({
          client,
          path: { environment_uuid: environmentUuid },
          body: JSON.parse(key) as typeof theme,
        })
      ).data,
    key,
  );
  // Faults are shown at their fields when the theme is saved; the preview stays as it was.
  const isInvalid = problem !== null && problem.fieldErrors.length > 0;
  return (
    <Section
      title={messages.preview}
      actions={
        data ? (
          <a className="link" href={data.url} target="_blank" rel="noreferrer">
            {messages.open}
          </a>
        ) : null
      }
    >
      <div className="small-form">
        <SelectField
          label={messages.view}
          value={page}
          options={(Object.keys(PAGES) as PageName[]).map((id) => [id, messages.views[id]])}
          onChange={(value) => setPage(value as PageName)}
        />
      </div>
      {problem && !isInvalid ? <ProblemNotice problem={problem} /> : null}
      <p className="visually-hidden" role="status">
        {loading ? messages.updating : ''}
      </p>
      {data ? (
        <>
          <div className="preview-wide">
            {(['light', 'dark'] as const).map((scheme) => (
              <iframe
                key={`${scheme} ${page} ${lang} ${data.url}`}
                title={`${messages.views[page]}, ${messages.schemes[scheme]}`}
                src={addressOf(data.url, scheme, lang, page)}
              />
            ))}
          </div>
          <p className="help">{messages.openHelp}</p>
        </>
      ) : null}
    </Section>
  );
}

function addressOf(url: string, scheme: string, lang: string, page: PageName): string {
  const address = new URL(url);
  address.searchParams.set('scheme', scheme);
  address.searchParams.set('lang', lang);
  return `${address.pathname}${address.search}${PAGES[page]}`;
}
