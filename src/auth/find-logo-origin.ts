import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../identities/environment.entity';
import { AuthenticateToken } from './authenticate-token';

/** From where the hosted UI's page may load an image: the logo of the environment that the token in its address belongs to. */
@Injectable()
export class FindLogoOrigin {
  constructor(
    private readonly em: EntityManager,
    private readonly authenticateToken: AuthenticateToken,
  ) {}

  /** Null without a logo, and with a token that is not good: the page itself says so to the reader. */
  async run(token: string): Promise<string | null> {
    try {
      const { environmentUuid } = await this.authenticateToken.run(token);
      const em = this.em.fork();
      const { theme } = await em.findOneOrFail(Environment, environmentUuid, { fields: ['theme'] });
      const logo = theme.logo_url ? new URL(theme.logo_url) : null;
      return logo?.protocol === 'https:' ? logo.origin : null;
    } catch {
      return null;
    }
  }
}
