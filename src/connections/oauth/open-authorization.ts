import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { newSecret } from '../../platform/crypto/signed-token';
import { type Confirmation, DescribeConfirmation } from './confirmation/describe-confirmation';
import { GoToProvider } from './go-to-provider';
import { openFlow } from './flow/open-flow';
import { type Browser, type Way, wayBack } from './way-back';

/**
 * `GET /oauth/start` (decisions 3). A link made in the hosted UI leads its browser to the provider at once. Any other shows a
 * confirmation page, by which nothing is used up: scanners and previews open links too. A browser that has confirmed may open
 * the link again, after a step back or a reload.
 */
@Injectable()
export class OpenAuthorization {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly goToProvider: GoToProvider,
    private readonly describe: DescribeConfirmation,
  ) {}

  /** `isApart`: in a window of its own, which the hosted UI in its frame is not to be brought back to. */
  async run(link: unknown, browser: Browser, isApart: boolean): Promise<Way | Confirmation> {
    const { publicUrl } = this.settings;
    return this.em.fork().transactional(async (em) => {
      const opened = await openFlow(em, link, browser, { publicUrl, now: this.clock.now() });
      if (typeof opened === 'string') return wayBack(publicUrl, opened);
      const { flow, own = newSecret() } = opened;
      if (flow.pageDigest ?? flow.confirmedAt) return this.goToProvider.run(em, opened, isApart);
      return this.describe.run(em, flow, { link: link as string, cookie: own, isApart });
    });
  }
}
