import { Body, Controller, Get, Headers, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { SandboxAuthorizationServer } from '../../integrations/shared/sandbox/authorization-server';
import { OAuthClient } from '../../integrations/shared/oauth/oauth-client';
import { Access } from '../../platform/http/access/access.decorator';
import { bodyMembers } from '../../platform/http/input/json-body';
import { LANGUAGE_HEADERS } from '../../platform/i18n/lang';
import type { Connection } from '../state/connection.entity';
import { parseCookies } from '../oauth/oauth-cookies';
import { CONSENT_POLICY, consentPage, refusedPage } from './consent-page';
import { type ConsentRequest, readConsentRequest } from './consent-request';
import { FindConsentFlow } from './find-consent-flow';

/** The account that the page suggests. */
const DEFAULT_ACCOUNT = 'demo@sandbox.example';
const MAX_ACCOUNT_LENGTH = 100;

/** The consent page of `sandbox_oauth`, whose provider is built in. */
@ApiExcludeController()
@Controller('sandbox/authorize')
export class ConsentController {
  constructor(
    private readonly flows: FindConsentFlow,
    private readonly server: SandboxAuthorizationServer,
    private readonly client: OAuthClient,
  ) {}

  @Get()
  @Access('none')
  async show(
    @Query() query: Record<string, unknown>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.findRequest(query, request);
    if (!found) return this.sendRefusal(response);
    const account = found.connection.accountDisplay ?? DEFAULT_ACCOUNT;
    this.send(response, 200, consentPage(found.request, { account, client: found.clientName }));
  }

  /** Handles the form: redirects to our own callback, with a code or with `access_denied`. */
  @Post()
  @Access('none')
  async decide(
    @Body() body: unknown,
    @Headers('sec-fetch-site') site: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = bodyMembers(body);
    const found = site === undefined || site === 'same-origin' ? await this.findRequest(form, request) : null;
    if (!found) return this.sendRefusal(response);
    const answer = new URL(found.request.redirectUri);
    if (form.decision === 'allow') answer.searchParams.set('code', await this.code(found, form));
    else answer.searchParams.set('error', 'access_denied');
    answer.searchParams.set('state', found.request.state);
    response.status(303).set({ 'Cache-Control': 'no-store', Location: answer.href }).end();
  }

  private code(
    { request, connection }: { request: ConsentRequest; connection: Connection },
    form: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const granted = [form.granted ?? []].flat();
    const account = typeof form.account === 'string' ? form.account.trim().slice(0, MAX_ACCOUNT_LENGTH) : '';
    return this.server.issueCode({
      connection,
      account: account || DEFAULT_ACCOUNT,
      scopes: request.scopes.filter((scope) => granted.includes(scope)),
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge,
    });
  }

  private async findRequest(given: Readonly<Record<string, unknown>>, request: Request) {
    const consent = readConsentRequest(given, this.client.redirectUri);
    const flow = consent && (await this.flows.find(consent.state, parseCookies(request.headers.cookie)));
    return flow && { request: consent, ...flow };
  }

  private sendRefusal(response: Response): void {
    this.send(response, 400, refusedPage());
  }

  private send(response: Response, status: number, html: string): void {
    response
      .status(status)
      .set({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': CONSENT_POLICY,
        'Cache-Control': 'no-store',
        Vary: LANGUAGE_HEADERS,
      })
      .send(html);
  }
}
