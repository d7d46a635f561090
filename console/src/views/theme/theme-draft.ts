import type { ManagedEnvironment } from '@docfetch/sdk';
import { textOrNull } from '../../form/form-context';

export interface ThemeDraft {
  readonly theme_name: string;
  readonly theme_logo_url: string;
  readonly theme_primary_color: string;
}

type Theme = Readonly<Record<keyof ThemeDraft, string | null>>;

export const draftOf = (environment: ManagedEnvironment): ThemeDraft => ({
  theme_name: environment.theme_name ?? '',
  theme_logo_url: environment.theme_logo_url ?? '',
  theme_primary_color: environment.theme_primary_color ?? '',
});

export const themeOf = (draft: ThemeDraft): Theme => ({
  theme_name: textOrNull(draft.theme_name),
  theme_logo_url: textOrNull(draft.theme_logo_url),
  theme_primary_color: textOrNull(draft.theme_primary_color),
});
