import { Body, Controller, Get, Headers, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../platform/http/access/access.decorator';
import { Settings } from '../../platform/config/settings';
import { bodyMembers } from '../../platform/http/input/json-body';
import { confirmationPage, leavingPage, type Page } from './confirmation/confirmation-page';
import { ContinueAuthorization } from './confirmation/continue-authorization';
import { FinishAuthorization } from './finish-authorization';
import { OpenAuthorization } from './open-authorization';
import { browserOf, type Cookie, cookieOptions, type Way, wayBack } from './way-back';

const LOCATION = (description: string, example: string) => ({
  Location: { description, required: true, schema: { type: 'string' as const, format: 'uri' }, example },
});

/** For browsers on their way to a provider and back; nobody calls these with credentials. */
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
    summary: 'Go to the provider to authorise',
    description:
      'Where `authorization_url` leads: send the browser of your user there. Made in the hosted UI, it works only in the browser in which the hosted UI is open. Any other shows a page first, on which the user confirms what is connected for whom; it lives for an hour, and is used up when the user continues, not when it is opened. The browser goes on to the provider, or, when the address is no longer good, to the hosted UI.',
    security: [],
  })
  @ApiQuery({
    name: 'link',
    required: true,
    schema: { type: 'string', example: 'u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE' },
    description: 'From `authorization_url`.',
  })
  @ApiQuery({
    name: 'apart',
    required: false,
    schema: { type: 'boolean', example: false },
    description:
      '`true`: in a window of its own, beside the page that goes on by itself. What this window comes back to then only says how it ended (`result`, `code`).',
  })
  @ApiResponse({
    status: 200,
    description: 'The page on which the user confirms, for a link that was not made in the hosted UI.',
    content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html><html lang="en">…</html>' } },
  })
  @ApiResponse({
    status: 302,
    description: 'On to the provider, or to the hosted UI with `result` and `code`.',
    headers: LOCATION('Where the browser goes.', 'https://accounts.example.com/authorize?response_type=code'),
  })
  async start(
    @Query('link') link: unknown,
    @Query('apart') apart: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const next = await this.openAuthorization.run(link, browserOf(request.headers.cookie), apart === 'true');
    if ('url' in next) return this.send(response, next);
    this.show(response, confirmationPage(next), next.cookie);
  }

  /** The form of the confirmation page. Browsers of today say from where it comes; the cookie and the form's proof have to fit anyway. */
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
    if (!isOwn) return this.send(response, wayBack(publicUrl, 'AUTHORIZATION_INVALID'), 303);
    const way = await this.continueAuthorization.run(bodyMembers(body), browserOf(request.headers.cookie));
    // Back to the hosted UI: the link is no longer good, or the user has canceled.
    if (way.url.startsWith(`${publicUrl}/ui?`)) return this.send(response, way, 303);
    this.show(response, leavingPage(way.url), way.cookie);
  }

  @Get('callback')
  @Access('none')
  @ApiOperation({
    operationId: 'finishAuthorization',
    summary: 'Come back from the provider',
    description:
      'The redirect URI to register with every provider. It takes the answer once, from the browser that `authorization_url` was opened in, and sends it on to the hosted UI: with `resume` after a success, or where the hosted UI had begun it; else with `result` (`success`, `cancelled` or `error`) and `code`.',
    security: [],
  })
  @ApiQuery({
    name: 'state',
    required: true,
    schema: { type: 'string', example: 'AZqfbixBfF6dChs' },
    description: 'Ours, signed, good once.',
  })
  @ApiQuery({
    name: 'code',
    required: false,
    schema: { type: 'string', example: '4/0AQSTgQF' },
    description: "The provider's, when the user has agreed.",
  })
  @ApiQuery({
    name: 'error',
    required: false,
    schema: { type: 'string', example: 'access_denied' },
    description: "The provider's, when there is no `code`.",
  })
  @ApiResponse({
    status: 302,
    description: 'On to the hosted UI.',
    headers: LOCATION('Where the browser goes.', 'https://docfetch.example.com/ui?result=success&code=AUTHORIZED'),
  })
  async callback(@Req() request: Request, @Res() response: Response): Promise<void> {
    const query = new URL(request.originalUrl, 'http://any').searchParams;
    this.send(response, await this.finishAuthorization.run(query, browserOf(request.headers.cookie)));
  }

  private send(response: Response, { url, cookie }: Way, status = 302): void {
    this.keep(response, cookie);
    response.status(status).set({ 'Cache-Control': 'no-store', Location: url }).end();
  }

  private show(response: Response, { html, policy }: Page, cookie: Cookie | undefined): void {
    this.keep(response, cookie);
    response
      .status(200)
      .set({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-store',
        Vary: 'Lang, Accept-Language',
      })
      .send(html);
  }

  private keep(response: Response, cookie: Cookie | undefined): void {
    if (cookie) response.cookie(cookie.name, cookie.value, cookieOptions(this.settings.publicUrl, cookie));
  }
}
