import type { UiTheme } from '@docfetch/sdk';
import { useState } from 'react';
import { Notice } from '../../components/notice';
import { SURFACES } from '../../../../src/identities/environments/colors/palette';
import { hexOf } from '../../../../src/identities/environments/colors/contrast';
import { usePreviewMessages } from './use-preview-messages';

/** Whether the logo can be loaded, and how it looks on the lightest and the darkest background. */
export function LogoCheck({ theme: { logo_url: url, name } }: { readonly theme: UiTheme }) {
  const { logo } = usePreviewMessages();
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  return (
    <section>
      <h2 className="group-title">{logo.title}</h2>
      {url ? (
        <>
          {state === 'failed' ? null : (
            <div className="preview-logos">
              {([SURFACES.light[0], SURFACES.dark[0]] as const).map((background, index) => (
                <span key={index} className="preview-logo" style={{ background: hexOf(background!) }}>
                  <img
                    src={url}
                    alt=""
                    className="brand-logo"
                    onLoad={() => setState('shown')}
                    onError={() => setState('failed')}
                  />
                </span>
              ))}
            </div>
          )}
          <div role="status">
            {state === 'failed' ? (
              <Notice tone="warning">
                <p>{logo.failed(name)}</p>
              </Notice>
            ) : (
              <p>{logo[state]}</p>
            )}
          </div>
        </>
      ) : (
        <p>{name ? logo.none : logo.noneAndNoName}</p>
      )}
    </section>
  );
}
