import { Body, Controller, Get, Headers, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../platform/http/access/access.decorator';
import { Settings } from '../../platform/config/settings';
import { bodyMembers } from '../../platform/http/input/json-body';
import { LANGUAGE_HEADERS } from '../../platform/i18n/lang';
import { confirmationPage, leavingPage, type Page } from './confirmation/confirmation-page';
import { ContinueAuthorization } from './confirmation/continue-authorization';
import { FinishAuthorization } from './finish-authorization';
import { OpenAuthorization } from './open-authorization';
import { parseCookies, type ResponseCookie, cookieOptions } from './oauth-cookies';
import { type OAuthRedirect, redirectToUi } from './oauth-redirect';

const LOCATION = (description: string, example: string) => ({
  Location: { description, required: true, schema: { type: 'string' as const, format: 'uri' }, example },
});

/** Opened by browsers that are redirected to a provider and back, without credentials. */
@ApiTags('Connections')
@Controller('oauth')
export class OAuthController {
  constructor(
    private readonly openAuthorization: OpenAuthorization,
    private readonly continueAuthorization: ContinueAuthorization,
    private readonly finishAuthorization: FinishAuthorization,
    private readonly settings: Settings,
  ) {}

  @Get('start')
  @Access('none')
  @ApiOperation({
    operationId: 'startAuthorization',
    summary: 'Redirect to the provider for authorization',
    description:
      'The target of `authorization_url`: send the browser of your user there. A link created in the hosted UI works only in the browser in which the hosted UI is open. Any other link first shows a page on which the user confirms what is connected and for whom; it is valid for one hour, and is consumed when the user continues, not when it is opened. The browser is redirected to the provider or, if the link is no longer valid, to the hosted UI.',
    security: [],
  })
  @ApiQuery({
    name: 'link',
    required: true,
    schema: { type: 'string', example: 'u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE' },
    description: 'The value in `authorization_url`.',
  })
  @ApiQuery({
    name: 'apart',
    required: false,
    schema: { type: 'boolean', example: false },
    description:
      '`true` for a popup next to a page that continues independently. The popup then returns to a page that only shows the outcome (`result`, `code`).',
  })
  @ApiResponse({
    status: 200,
    description: 'The confirmation page, for a link that was not created in the hosted UI.',
    content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html><html lang="en">…</html>' } },
  })
  @ApiResponse({
    status: 302,
    description: 'Redirect to the provider, or to the hosted UI with `result` and `code`.',
    headers: LOCATION('The target of the redirect.', 'https://accounts.example.com/authorize?response_type=code'),
  })
  async start(
    @Query('link') link: unknown,
    @Query('apart') apart: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const next = await this.openAuthorization.open(link, parseCookies(request.headers.cookie), apart === 'true');
    if ('url' in next) return this.redirect(response, next);
    this.sendPage(response, confirmationPage(next), next.cookie);
  }

  /** Receives the form of the confirmation page. Current browsers send `Sec-Fetch-Site`; cookie and proof are checked in any case. */
  @Post('start')
  @Access('none')
  @ApiExcludeEndpoint()
  async continue(
    @Body() body: unknown,
    @Headers('sec-fetch-site') site: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { publicUrl } = this.settings;
    const isOwn = site === undefined || site === 'same-origin';
    if (!isOwn) return this.redirect(response, redirectToUi(publicUrl, 'AUTHORIZATION_INVALID'), 303);
    const way = await this.continueAuthorization.continue(bodyMembers(body), parseCookies(request.headers.cookie));
    // Back to the hosted UI: the link is no longer valid, or the user has canceled.
    if (way.url.startsWith(`${publicUrl}/ui?`)) return this.redirect(response, way, 303);
    this.sendPage(response, leavingPage(way.url), way.cookie);
  }

  @Get('callback')
  @Access('none')
  @ApiOperation({
    operationId: 'finishAuthorization',
    summary: 'Receive the redirect from the provider',
    description:
      'The redirect URI to register with every provider. It accepts the response once, from the browser in which `authorization_url` was opened, and redirects to the hosted UI: with `resume` after a success, or if the hosted UI started the authorization; otherwise with `result` (`success`, `cancelled` or `error`) and `code`.',
    security: [],
  })
  @ApiQuery({
    name: 'state',
    required: true,
    schema: { type: 'string', example: 'AZqfbixBfF6dChs' },
    description: 'The signed, single-use `state` of the authorization request.',
  })
  @ApiQuery({
    name: 'code',
    required: false,
    schema: { type: 'string', example: '4/0AQSTgQF' },
    description: "The provider's authorization code, if the user consented.",
  })
  @ApiQuery({
    name: 'error',
    required: false,
    schema: { type: 'string', example: 'access_denied' },
    description: "The provider's error code, if there is no `code`.",
  })
  @ApiResponse({
    status: 302,
    description: 'Redirect to the hosted UI.',
    headers: LOCATION('The target of the redirect.', 'https://docfetch.example.com/ui?result=success&code=AUTHORIZED'),
  })
  async callback(@Req() request: Request, @Res() response: Response): Promise<void> {
    // Otherwise the browser would disconnect the hosted UI's popup from its opener.
    response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
    const query = new URL(request.originalUrl, 'http://any').searchParams;
    this.redirect(response, await this.finishAuthorization.finish(query, parseCookies(request.headers.cookie)));
  }

  private redirect(response: Response, { url, cookie }: OAuthRedirect, status = 302): void {
    this.setCookie(response, cookie);
    response.status(status).set({ 'Cache-Control': 'no-store', Location: url }).end();
  }

  private sendPage(response: Response, { html, policy }: Page, cookie: ResponseCookie | undefined): void {
    this.setCookie(response, cookie);
    response
      .status(200)
      .set({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-store',
        Vary: LANGUAGE_HEADERS,
      })
      .send(html);
  }

  private setCookie(response: Response, cookie: ResponseCookie | undefined): void {
    if (cookie) response.cookie(cookie.name, cookie.value, cookieOptions(this.settings.publicUrl, cookie));
  }
}
