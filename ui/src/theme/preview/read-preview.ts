import type { UiTheme } from '@docfetch/sdk';
import type { Scheme } from '../../../../src/identities/environments/colors/palette';

/** A theme that has not been saved. The service has verified the link before it sent the page (`preview-theme.ts`). */
export interface Preview {
  readonly theme: UiTheme;
  readonly expiresAt: string;
  readonly reference: string;
}

interface PreviewContent {
  readonly theme: { readonly [Member in keyof UiTheme]?: string };
  readonly expires_at: string;
}

/** Null for a link that has expired. */
export function readPreview(query: URLSearchParams): Preview | null {
  const reference = query.get('preview') ?? '';
  const [encoded = '', signature] = reference.split('.');
  if (!signature) return null;
  const bytes = Uint8Array.from(atob(encoded.replace(/-/g, '+').replace(/_/g, '/')), (each) => each.charCodeAt(0));
  const { theme, expires_at: expiresAt } = JSON.parse(new TextDecoder().decode(bytes)) as PreviewContent;
  return {
    reference,
    expiresAt,
    // Removed values are empty texts.
    theme: {
      name: theme.name || null,
      logo_url: theme.logo_url || null,
      primary_color: theme.primary_color || null,
    },
  };
}

/** The scheme of a page that shows one view in a frame of the preview; null for the preview itself. */
export function schemeOf(query: URLSearchParams): Scheme | null {
  const scheme = query.get('scheme');
  return scheme === 'light' || scheme === 'dark' ? scheme : null;
}
