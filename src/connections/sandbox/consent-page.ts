import { createHash } from 'node:crypto';
import { currentLang, type Lang } from '../../platform/i18n/lang';
import { translate } from '../../platform/errors/translate';
import { type ConsentRequest, toFormFields } from './consent-request';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { max-width: 32rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
fieldset { border: 1px solid #8888; border-radius: .5rem; margin: 1.5rem 0; padding: .75rem 1rem; }
legend, label { font-weight: 600; }
fieldset label { font-weight: normal; display: block; margin: .35rem 0; }
input[type=text] { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .5rem; margin-top: .25rem; }
.hint { margin: .35rem 0 0; font-size: .94rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; }
button { font: inherit; padding: .6rem 1.25rem; min-height: 44px; cursor: pointer; }
`;

/** Allows only the page's own style sheet and forms to our own origin, and no embedding. */
export const CONSENT_POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
  `base-uri 'none'`,
].join('; ');

const textsIn =
  (lang: Lang) =>
  (key: string, params?: Record<string, string>): string =>
    escape(translate(`sandbox-consent.${key}`, params, lang));

/** The page on which a test user enters an account and selects the scopes to grant. */
export function consentPage(request: ConsentRequest, defaults: { account: string; client: string }): string {
  const lang = request.lang ?? currentLang();
  const text = textsIn(lang);
  const hidden = Object.entries(toFormFields(request)).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escape(value)}">`,
  );
  const scopes = request.scopes.map((scope) => {
    const box = `<input type="checkbox" name="granted" value="${escape(scope)}" checked>`;
    return `<label>${box} ${text(`scope.${scope.replaceAll('.', '_')}`)}</label>`;
  });
  return page(lang, text('title'), [
    `<p>${text('intro', { client: defaults.client })}</p>`,
    `<form method="post" action="/sandbox/authorize" autocomplete="off">${hidden.join('')}`,
    `<label for="account">${text('account')}</label>`,
    `<input type="text" id="account" name="account" required maxlength="100" value="${escape(defaults.account)}" aria-describedby="account-hint">`,
    `<p class="hint" id="account-hint">${text('account_hint')}</p>`,
    `<fieldset><legend>${text('scopes')}</legend>${scopes.join('')}</fieldset>`,
    `<div class="actions"><button name="decision" value="allow">${text('allow')}</button>`,
    `<button name="decision" value="deny" formnovalidate>${text('deny')}</button></div></form>`,
  ]);
}

/** The page for an invalid request. It does not redirect, because the redirect address is not trusted. */
export function refusedPage(): string {
  const lang = currentLang();
  const text = textsIn(lang);
  return page(lang, text('refused_title'), [`<p>${text('refused')}</p>`]);
}

function page(lang: Lang, title: string, main: readonly string[]): string {
  return [
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>`,
    `<body><main><h1>${title}</h1>${main.join('\n')}</main></body></html>`,
  ].join('\n');
}

const escape = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
