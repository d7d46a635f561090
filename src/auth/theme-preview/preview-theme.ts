import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { signText, verifyText } from '../../platform/crypto/signed-token';

const PURPOSE = 'theme-preview';
/** Long enough to be forwarded to the client's designer. */
const VALID_MS = 7 * 24 * 3_600_000;

type Theme = Environment['theme'];

/** The content of a link to a preview. Its reader is the hosted UI: `ui/src/theme/preview/read-preview.ts`. */
interface PreviewContent {
  readonly theme: Theme;
  readonly expires_at: string;
}

export interface ThemePreview {
  /** The address of the preview. Anyone who has it can open it. */
  readonly url: string;
  readonly expiresAt: Date;
  /** The whole theme that it shows: the members of the environment's theme, and the changed ones. */
  readonly theme: Theme;
}

/** Creates a link that shows the hosted UI with a theme that has not been saved (decisions 7). Nothing is stored. */
@Injectable()
export class PreviewTheme {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws Error with a message for the support team when the environment does not exist */
  async preview(environmentUuid: string, change: Theme): Promise<ThemePreview> {
    const environment = await this.em.fork().findOne(Environment, environmentUuid);
    if (!environment) throw new Error(`There is no environment ${environmentUuid}.`);
    const theme = { ...environment.theme, ...change };
    const expiresAt = new Date(this.clock.now().getTime() + VALID_MS);
    const content: PreviewContent = { theme, expires_at: expiresAt.toISOString() };
    const { publicUrl, tokenKeys } = this.settings;
    const url = `${publicUrl}/ui?preview=${signText(tokenKeys, PURPOSE, JSON.stringify(content))}`;
    return { url, expiresAt, theme };
  }

  /** The theme of a link; null when the link was changed or has expired. */
  open(reference: string): Theme | null {
    const text = verifyText(this.settings.tokenKeys, PURPOSE, reference);
    if (text === null) return null;
    const { theme, expires_at } = JSON.parse(text) as PreviewContent;
    return this.clock.now() < new Date(expires_at) ? theme : null;
  }
}
