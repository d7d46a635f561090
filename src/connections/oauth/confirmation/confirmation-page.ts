import { createHash } from 'node:crypto';
import { currentLang } from '../../../platform/i18n/lang';
import { translate } from '../../../platform/errors/translate';
import type { Confirmation } from './describe-confirmation';
import { styleOf } from './page-style';

/** An HTML page and its `Content-Security-Policy`, which allows only the page's own parts. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

/** "You are about to connect …", with Continue and Cancel (decisions 3). */
export function confirmationPage({ theme, form, account, integration, customer, client }: Confirmation): Page {
  const params = { integration, customer, client, ...(account !== null && { account }) };
  const hidden = Object.entries(form).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escape(value)}">`,
  );
  const main = [
    `<p>${text(account === null ? 'text' : 'text_account', params)}</p>`,
    `<p class="lead">${text('hint', params)}</p>`,
    `<form method="post" action="/oauth/start">${hidden.join('')}<div class="actions">`,
    `<button class="action primary" name="decision" value="continue">${text('continue')}</button>`,
    `<button class="action" name="decision" value="cancel">${text('cancel')}</button></div></form>`,
  ];
  return page(text('title', params), main, { theme, client });
}

/**
 * The page between Continue and the provider. It starts a new navigation, because `form-action` would also apply to a
 * redirect of the form and to every further redirect of the provider's login.
 */
export function leavingPage(url: string): Page {
  const main = [
    `<p class="lead">${text('leaving')}</p>`,
    `<p class="actions"><a class="action primary" href="${escape(url)}">${text('leaving_link')}</a></p>`,
  ];
  return page(text('leaving_title'), main, { refresh: url });
}

function page(
  title: string,
  main: readonly string[],
  { theme = {}, client = '', refresh }: { theme?: Confirmation['theme']; client?: string; refresh?: string },
): Page {
  const style = styleOf(theme.primary_color);
  const logo = logoOf(theme.logo_url);
  const brand = logo
    ? `<img class="brand-logo" src="${escape(logo.href)}" alt="${escape(client)}">`
    : `<span class="brand-name">${escape(client)}</span>`;
  const html = [
    `<!doctype html><html lang="${currentLang()}"><head><meta charset="utf-8"><title>${title}</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">`,
    refresh === undefined ? '' : `<meta http-equiv="refresh" content="0;url=${escape(refresh)}">`,
    `<style>${style}</style></head><body><div class="frame"><header class="frame-head">${brand}</header>`,
    `<main class="page"><h1>${title}</h1>${main.join('\n')}</main></div></body></html>`,
  ].join('\n');
  const policy = [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `img-src ${logo?.origin ?? `'none'`}`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ].join('; ');
  return { html, policy };
}

/** As in the hosted UI: a logo is shown only from an https address. */
function logoOf(address: string | undefined): URL | null {
  const url = address ? new URL(address) : null;
  return url?.protocol === 'https:' ? url : null;
}

const text = (key: string, params?: Record<string, string>): string => escape(translate(`confirmation.${key}`, params));

const escape = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
