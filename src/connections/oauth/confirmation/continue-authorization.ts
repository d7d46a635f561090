import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock';
import { Settings } from '../../../platform/config/settings';
import { verifyToken } from '../../../platform/crypto/signed-token';
import { GoToProvider } from '../go-to-provider';
import { openFlow } from '../flow/open-flow';
import { type Browser, type Way, wayBack } from '../way-back';
import { proofOf } from './describe-confirmation';

/** `POST /oauth/start`, the form of the confirmation page (decisions 3): Continue uses the link up, Cancel changes nothing. */
@Injectable()
export class ContinueAuthorization {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly goToProvider: GoToProvider,
  ) {}

  async run(form: Readonly<Record<string, unknown>>, browser: Browser): Promise<Way> {
    const { publicUrl, tokenKeys } = this.settings;
    const now = this.clock.now();
    return this.em.fork().transactional(async (em) => {
      const opened = await openFlow(em, form.link, browser, { publicUrl, now });
      if (typeof opened === 'string') return wayBack(publicUrl, opened);
      const { flow, own } = opened;
      const { proof } = form;
      const hasSeen = own !== undefined && typeof proof === 'string' && verifyToken(tokenKeys, proofOf(own), proof);
      if (hasSeen !== flow.uuid) return wayBack(publicUrl, 'AUTHORIZATION_INVALID');
      if (form.decision !== 'continue') return wayBack(publicUrl, 'AUTHORIZATION_DENIED');
      flow.confirmedAt ??= now;
      return this.goToProvider.run(em, opened, form.apart === 'true');
    });
  }
}
