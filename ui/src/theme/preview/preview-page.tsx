import { useEffect, useState } from 'react';
import { Choices } from '../../components/choices';
import { Page } from '../../components/page';
import { formatDateTime } from '../../messages/date-format';
import { useMessages } from '../../messages/use-messages';
import { hrefOf, type Route } from '../../route';
import { Layout } from '../../session/layout';
import type { Scheme } from '../../../../src/identities/environments/colors/palette';
import { ColorContrast } from './color-contrast';
import { LogoCheck } from './logo-check';
import type { Preview } from './read-preview';
import { usePreviewMessages } from './use-preview-messages';
import { SAMPLE_INTEGRATION, SAMPLE_SOURCE } from './sample/sample-ids';

const VIEWS = {
  overview: { view: 'home' },
  choose: { view: 'choose' },
  form: { view: 'connect', integration: SAMPLE_INTEGRATION },
  source: { view: 'connection', uuid: SAMPLE_SOURCE },
} as const satisfies Record<string, Route>;
type View = keyof typeof VIEWS;

/** CSS pixels: a phone, the recommended width of a frame, a window. */
const WIDTHS = { phone: 320, frame: 420, page: 720 } as const;
type Width = keyof typeof WIDTHS;

const SCHEMES: readonly Scheme[] = ['light', 'dark'];

/** The hosted UI with a theme that has not been saved, in both color schemes, and what has to be checked before it is. */
export function PreviewPage({ preview: { theme, reference, expiresAt } }: { readonly preview: Preview }) {
  const { lang, messages } = useMessages();
  const texts = usePreviewMessages();
  const [view, setView] = useState<View>('overview');
  const [width, setWidth] = useState<Width>('frame');
  useEffect(() => document.body.classList.add('preview'), []);
  const addressOf = (scheme: Scheme) => {
    const query = new URLSearchParams({ preview: reference, scheme, lang });
    return `${location.pathname}?${query.toString()}${hrefOf(VIEWS[view])}`;
  };
  return (
    <Layout theme={theme}>
      <Page
        title={texts.title(theme.name)}
        lead={
          <p>
            {texts.lead} {texts.until(formatDateTime(expiresAt, lang, { ...messages.when, day: texts.untilDay }))}
          </p>
        }
      >
        <Choices label={texts.view} choices={choicesOf(texts.views)} selected={view} onSelect={setView} />
        <Choices label={texts.width} choices={choicesOf(texts.widths)} selected={width} onSelect={setWidth} />
        <div className="preview-frames">
          {SCHEMES.map((scheme) => (
            <section key={scheme} className="preview-frame">
              <h2 className="group-title">{texts.scheme[scheme]}</h2>
              <iframe
                key={`${lang} ${view}`}
                title={`${texts.views[view]}, ${texts.scheme[scheme]}`}
                src={addressOf(scheme)}
                width={WIDTHS[width]}
                height={720}
              />
            </section>
          ))}
        </div>
        <LogoCheck theme={theme} />
        <ColorContrast color={theme.primary_color} />
      </Page>
    </Layout>
  );
}

const choicesOf = <Id extends string>(texts: Readonly<Record<Id, string>>) =>
  (Object.entries(texts) as [Id, string][]).map(([id, text]) => ({ id, text }));
