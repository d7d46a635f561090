import type { Preset } from '../../../src/integrations/core/presets/preset';
import { IMAP_HELP_STEPS } from '../../../src/integrations/imap/preset-help-steps';
import { AUTHORIZED_IMAP_PRESETS } from '../../../src/integrations/imap/authorized-presets';
import { IMAP_PRESETS } from '../../../src/integrations/imap/presets';
import { S3_PRESETS } from '../../../src/integrations/s3/presets';
import { WEBDAV_PRESETS } from '../../../src/integrations/webdav/presets';

type Presets = Readonly<Record<'imap' | 'webdav' | 's3', readonly Preset[]>>;

const MODULE = './preset-page.mjs';
let presetPage: (presets: Presets) => { path: string; title: string; markdown: string };
beforeAll(async () => ({ presetPage } = (await import(MODULE)) as { presetPage: typeof presetPage }));

const MAIL_PROVIDERS = [...IMAP_PRESETS, ...AUTHORIZED_IMAP_PRESETS].map((preset) => ({
  ...preset,
  helpSteps: IMAP_HELP_STEPS[preset.id],
}));
const ALL: Presets = { imap: MAIL_PROVIDERS, webdav: WEBDAV_PRESETS, s3: S3_PRESETS };

/** The text below the heading of one brand. */
const sectionOf = (name: string): string => {
  const { markdown } = presetPage(ALL);
  return markdown.split(`\n### ${name}\n`)[1]!.split(/\n##/)[0]!;
};

describe('The page of brands', () => {
  it('has every brand of every protocol, with its id', () => {
    const { path, markdown } = presetPage(ALL);
    expect(path).toBe('brands');
    const ids = [...markdown.matchAll(/^The integration `(\w+)`\./gm)].map(([, id]) => id);
    expect(ids.sort()).toEqual(
      Object.values(ALL)
        .flatMap((presets) => presets.map(({ id }) => id))
        .sort(),
    );
    expect(markdown).not.toMatch(/undefined|\[object|NaN|\{/);
  });

  it('says which server it is, what the user needs, and where to find it', () => {
    expect(sectionOf('iCloud Mail')).toBe(`
The integration \`icloud\`. Users also find it as "apple", "me.com", "mac.com". The server is \`imap.mail.me.com\`, port 993 with TLS.

The user needs:

- **E-mail address**
- **App-specific password**. Your usual password does not work here.

How users get it:

1. Sign in at account.apple.com and open Sign-In and Security.
2. Create an app-specific password there.
3. Copy it and enter it here.

Where users find it: <https://support.apple.com/102654>
`);
  });

  it.each([
    ['Zoho Mail', 'The user selects the server.'],
    ['Zoho Mail', '  - Europe, personal: `imap.zoho.eu`\n'],
    ['Nextcloud', 'The user enters the address of the server.'],
    ['Nextcloud', '- **Address**. The address that you see in the browser.'],
    ['Hetzner Storage Box', 'The server is `https://<user>.your-storagebox.de`.'],
    ['Amazon S3', 'The server follows from the region.'],
    ['Cloudflare R2', '- **Account ID**. 32 characters'],
    ['Hetzner Object Storage', '- **Location**\n  - Falkenstein (fsn1): `fsn1`\n'],
  ])('of %s says "%s"', (name, text) => expect(sectionOf(name)).toContain(text));

  it('asks for nothing that the brand fixes', () => {
    expect(sectionOf('Cloudflare R2')).not.toContain('**Region**');
    expect(sectionOf('MagentaCLOUD')).not.toContain('**Address**');
    expect(sectionOf('Wasabi')).toContain('- **Secret access key**');
  });
});
