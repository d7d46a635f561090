/** The address of a logo: https. */
export const isLogoUrl = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:';

/** A color of a theme: `#0055aa`. */
export const COLOR = /^#[0-9a-f]{6}$/i;
