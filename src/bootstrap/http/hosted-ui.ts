import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeUiPage, PLAIN_PAGE, type UiPage } from '../../auth/ui-session/describe-ui-page';
import { servePrecompressed } from './precompressed-static';
import { parseCookies, cookieOptions } from '../../connections/oauth/oauth-cookies';
import { READABLE_STYLE_SOURCE } from '../../transactions/readable/readable-style';
import { Settings } from '../../platform/config/settings';

export type Policy = (directives: Record<string, string[]>) => RequestHandler;

/** Built by `npm run ui` beside the compiled service; the second folder is for tests, which run the sources. */
const UI_FOLDERS = [join(__dirname, '../../../ui'), join(__dirname, '../../../dist/ui')];

/** Stands for a link to a preview that was changed or has expired. */
const EXPIRED = 'expired';

/**
 * The content security policy of the page: nothing inline except the style sheet of readable invoices, no external resource except the environment's logo, and no frames except
 * on the allowed origins (decisions 5, spec 4.12).
 */
const forPage = ({ logoOrigin, embeddingOrigins, isPreview }: UiPage): Record<string, string[]> => ({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  // The page of an XML invoice, which it opens in another tab, has its policy.
  'style-src': ["'self'", READABLE_STYLE_SOURCE],
  'img-src': ["'self'", ...(logoOrigin ? [logoOrigin] : [])],
  'connect-src': ["'self'"],
  ...(isPreview && { 'frame-src': ["'self'"] }),
  'form-action': ["'none'"],
  'frame-ancestors': embeddingOrigins.length > 0 ? [...embeddingOrigins] : ["'none'"],
  'base-uri': ["'none'"],
});

/**
 * The hosted UI at `/ui`: a page that is never cached, because its URL contains a token, and files that are cached permanently,
 * because their names change with their content.
 */
export function serveHostedUi(app: NestExpressApplication, policy: Policy): void {
  const folder = UI_FOLDERS.find((place) => existsSync(join(place, 'assets')));
  const page = folder ? readFileSync(join(folder, 'index.html'), 'utf8') : null;
  const describeUiPage = app.get(DescribeUiPage);
  const { publicUrl } = app.get(Settings);

  if (folder) {
    const assets = join(folder, 'assets');
    app.use('/ui/assets', servePrecompressed(assets, { immutable: true, maxAge: '1y', index: false }));
  }
  app.use('/ui', (request: Request, response: Response, next: NextFunction) => {
    const isPage = page !== null && request.path === '/' && ['GET', 'HEAD'].includes(request.method);
    if (!isPage) return next();
    void describeUiPage.describe(request.query, parseCookies(request.headers.cookie)).then((described) => {
      // The page has no other way to learn that the link has expired.
      const { preview } = request.query;
      if (preview !== undefined && preview !== EXPIRED && !described.isPreview)
        return response.redirect(`${publicUrl}/ui?preview=${EXPIRED}`);
      policy(forPage(described))(request, response, () => {
        // `X-Frame-Options` cannot list origins and would contradict `frame-ancestors`.
        if (described.embeddingOrigins.length > 0) response.removeHeader('X-Frame-Options');
        // A popup exchanges messages with the page in the frame that has opened it; both views contain no data.
        const isForPopup = request.query.popup !== undefined || request.query.result !== undefined;
        // The page that has opened a popup with a valid token receives its result.
        const reportsToOpener =
          request.query.connect === 'popup' && request.query.theme === undefined && described !== PLAIN_PAGE;
        if (isForPopup || reportsToOpener) response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
        response.setHeader('Cache-Control', 'no-store');
        const { cookie } = described;
        if (cookie) response.cookie(cookie.name, cookie.value, cookieOptions(publicUrl, cookie));
        response.type('html').send(page);
      });
    });
  });
}
