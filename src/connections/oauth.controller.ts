import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../platform/http/access';
import { Settings } from '../platform/config';
import { FinishAuthorization } from './finish-authorization';
import { OpenAuthorization } from './open-authorization';
import { browserOf, cookieOptions, type Way } from './way-back';

const LOCATION = (description: string, example: string) => ({
  Location: { description, required: true, schema: { type: 'string' as const, format: 'uri' }, example },
});

/** For browsers on their way to a provider and back; nobody calls these with credentials. */
@ApiTags('Connections')
@Controller('oauth')
export class OAuthController {
  constructor(
    private readonly openAuthorization: OpenAuthorization,
    private readonly finishAuthorization: FinishAuthorization,
    private readonly settings: Settings,
  ) {}

  @Get('start')
  @Access('none')
  @ApiOperation({
    operationId: 'startAuthorization',
    summary: 'Go to the provider to authorise',
    description:
      'Where `authorization_url` leads: send the browser of your user there. Made in the hosted UI, it works only in the browser in which the hosted UI is open. Otherwise the first browser that opens it is the only one that can come back; it may open it again within the hour. It goes on to the provider, or, when the address is no longer good, to the hosted UI.',
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
    const given = typeof link === 'string' ? link : undefined;
    const browser = browserOf(request.headers.cookie);
    this.send(response, await this.openAuthorization.run(given, browser, apart === 'true'));
  }

  @Get('callback')
  @Access('none')
  @ApiOperation({
    operationId: 'finishAuthorization',
    summary: 'Come back from the provider',
    description:
      'The redirect URI to register with every provider. It takes the answer once, from the browser that `authorization_url` was opened in, and sends it on to the hosted UI: with `resume` where the UI had begun it, else with `result` (`success`, `cancelled` or `error`) and `code`.',
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

  private send(response: Response, { url, cookie }: Way): void {
    if (cookie) response.cookie(cookie.name, cookie.value, cookieOptions(this.settings.publicUrl, cookie));
    response.status(302).set({ 'Cache-Control': 'no-store', Location: url }).end();
  }
}
