import { Controller, Headers, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Settings } from '../../../platform/config/settings';
import { ApiData, type Enveloped, enveloped } from '../../../platform/errors/envelope';
import { unprocessable } from '../../../platform/errors/errors';
import { Access, type Caller, CurrentCaller } from '../../../platform/http/access/access.decorator';
import { BodyFor } from '../../../platform/http/input/validate-input';
import { ApiErrors } from '../../../platform/errors/api-errors';
import { cookieOptions, parseCookies } from '../oauth-cookies';
import { CreatePopupSecret } from './create-popup-secret';
import { CreatePopupSecretDto, PopupRedirectView, PopupSecretView, RedeemPopupSecretDto } from './popup.dto';
import { RedeemPopupSecret } from './redeem-popup-secret';

/** For the hosted UI in a frame, which opens a popup for the provider (decisions 3). */
@ApiTags('UI token')
@Controller('v1/ui/popup-secrets')
export class PopupController {
  constructor(
    private readonly createPopupSecret: CreatePopupSecret,
    private readonly redeemPopupSecret: RedeemPopupSecret,
    private readonly settings: Settings,
  ) {}

  @Post()
  @Access('token')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'createPopupSecret',
    summary: 'Create the secret for a popup',
    description:
      'For the hosted UI in a frame of another site, where browsers block its cookie: the secret with which a popup continues to the provider without a confirmation page. Valid once, for one minute, and only for an authorization that was started with the same token.',
  })
  @ApiBody({ type: CreatePopupSecretDto })
  @ApiData(PopupSecretView, 'The secret.')
  @ApiErrors('AUTHORIZATION_URL_INVALID')
  async create(
    @CurrentCaller() caller: Caller,
    @BodyFor(() => CreatePopupSecretDto) { authorization_url: url }: CreatePopupSecretDto,
  ): Promise<Enveloped<PopupSecretView>> {
    return enveloped(await this.createPopupSecret.create(caller, url));
  }

  /** Only from a page of our own: another site must not be able to set the cookie of its own authorization in this browser. */
  @Post('redeem')
  @Access('none')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'redeemPopupSecret',
    summary: 'Continue to the provider in a popup',
    description:
      'For the popup of the hosted UI: sets the cookie of the authorization and returns the URL of the provider. Pages of other origins are rejected.',
    security: [],
  })
  @ApiBody({ type: RedeemPopupSecretDto })
  @ApiData(PopupRedirectView, 'Where the popup continues.')
  @ApiErrors('POPUP_SECRET_INVALID')
  async redeem(
    @BodyFor(() => RedeemPopupSecretDto) { secret }: RedeemPopupSecretDto,
    @Headers('sec-fetch-site') site: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Enveloped<PopupRedirectView>> {
    if (site !== undefined && site !== 'same-origin') throw unprocessable('POPUP_SECRET_INVALID');
    const { publicUrl } = this.settings;
    const { url, cookie } = await this.redeemPopupSecret.redeem(secret, parseCookies(request.headers.cookie));
    if (cookie) response.cookie(cookie.name, cookie.value, cookieOptions(publicUrl, cookie));
    response.setHeader('Cache-Control', 'no-store');
    return enveloped({ url });
  }
}
