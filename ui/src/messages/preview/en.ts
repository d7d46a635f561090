/** Texts of the preview of a theme, which the client's designer and the support team see. */
export const preview = {
  title: (name: string | null) => (name ? `Preview of the theme: ${name}` : 'Preview of the theme'),
  lead: 'Nothing has been saved. The data is made up, and nothing that you enter leaves this page.',
  until: (when: string) => `The link works until ${when}.`,
  /** A day other than today and tomorrow, for `until`. */
  untilDay: (day: string, time: string) => `${day}, ${time}`,
  expiredTitle: 'This preview is no longer available',
  expiredText: 'The link has expired or is incomplete. Please ask for a new one.',
  view: 'View',
  views: { overview: 'Overview', choose: 'Choice of a source', form: 'Form', source: 'Source' },
  width: 'Width',
  widths: { phone: 'Phone', frame: 'Frame', page: 'Page' },
  scheme: { light: 'Light', dark: 'Dark' },
  logo: {
    title: 'Logo',
    none: 'There is no logo. The name is shown instead.',
    noneAndNoName: 'There is neither a logo nor a name.',
    loading: 'The logo is being loaded.',
    shown: 'The logo can be loaded. Check that it is readable on both backgrounds.',
    failed: (name: string | null): string =>
      name
        ? 'The logo cannot be loaded. The name is shown instead.'
        : 'The logo cannot be loaded, and there is no name to show instead.',
  },
  contrast: {
    title: 'Contrast of the color',
    unchanged: (color: string) => `${color} has enough contrast everywhere and is used as it is.`,
    changed: (color: string) =>
      `${color} does not have enough contrast everywhere. Where it needs more, it is made darker or lighter.`,
    default: 'There is no color. The usual one is used.',
    use: 'Use',
    color: 'Color',
    ratio: 'Contrast',
    needed: 'Needed',
    uses: {
      fill: 'Button on its background',
      onFill: 'Text on a button',
      text: 'Link and colored text',
      selected: 'Text of what is selected',
    },
    passes: 'sufficient',
    fails: 'not sufficient',
  },
};
