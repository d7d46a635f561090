import { logoOf } from './logo';

const named = (id: string, name: string, logo?: string) =>
  logoOf({ id, name: { en: name, de: name }, ...(logo && { logo }) });

describe('The logo of an integration', () => {
  it('is the artwork of its brand on a tile of the brand’s color', () => {
    const svg = named('dropbox', 'Dropbox');
    expect(svg).toContain('aria-label="Dropbox"');
    expect(svg).toContain('fill="#0061FF"');
    expect(svg).toMatch(/fill="#fff" d="[^"]{20,}"/);
  });

  it('is found by another name of the brand', () => {
    expect(named('t_online', 'T-Online', 'deutschetelekom')).toContain('aria-label="Deutsche Telekom"');
  });

  it('is dark on a bright color', () => {
    expect(named('mailchimp', 'Mailchimp')).toMatch(/<rect [^>]*fill="#FFE01B".*fill="#111" d="/);
  });

  it.each([
    ['web_de', 'WEB.DE', 'WD'],
    ['sevdesk', 'sevdesk', 'S'],
    ['rock', '<b>"Rock & Roll"', 'BR'],
  ])('of %s, of which there is no artwork, shows the initials %s → %s', (id, name, initials) => {
    const svg = named(id, name);
    expect(svg).toContain(`>${initials}</text>`);
    expect(svg).not.toContain('<b>');
  });

  it('of a protocol is the picture in its connector’s folder', () => {
    expect(named('imap', 'E-mail (IMAP)')).toContain('aria-label="E-mail"');
  });
});
