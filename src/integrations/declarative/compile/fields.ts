import type { FieldSpec } from '../../core/field';
import { TIME_ZONE_FIELD } from '../../shared/tree-sync/selection/file-selection-fields';
import type { FieldManifest, ProviderManifest } from '../language/manifest';

const CHARACTERS = {
  hexadecimal: '[0-9a-fA-F]',
  digits: '[0-9]',
  alphanumeric: '[A-Za-z0-9]',
  subdomain: '[A-Za-z0-9-]',
  base64: '[A-Za-z0-9+/=_.~-]',
  visible: '[!-~]',
} as const;
/** The default of the language for the length of a text. */
const MAX_LENGTH = 4096;

/** The first step: the fields of `auth`, and the time zone where users choose it. */
export function step1Fields(manifest: ProviderManifest, provider: string): FieldSpec[] {
  const fields = Object.entries(manifest.auth.fields ?? {}).map(([id, field]) => fieldOf(id, field));
  return manifest.zone === 'user' ? [...fields, zoneField(provider)] : fields;
}

function fieldOf(
  id: string,
  { label, help, placeholder, secret = false, optional = false, format }: FieldManifest,
): FieldSpec {
  return {
    id,
    type: secret ? 'password' : 'text',
    label,
    ...(help && { help }),
    ...(placeholder !== undefined && { placeholder }),
    required: !optional,
    ...(secret && { secret }),
    ...(format && formOf(format)),
  };
}

function formOf({ starts = [], characters, min = 1, max }: NonNullable<FieldManifest['format']>) {
  const beginning = starts.length === 0 ? '' : `(?:${starts.map(escapePattern).join('|')})`;
  const longest = Math.max(0, ...starts.map((start) => start.length));
  return {
    pattern: `${beginning}${CHARACTERS[characters]}{${min},${max ?? MAX_LENGTH}}`,
    ...(max !== undefined && { max: max + longest }),
  };
}

const escapePattern = (text: string): string => text.replaceAll(/[.+*?^${}()|[\]\\/]/g, String.raw`\$&`);

const zoneField = (provider: string): FieldSpec => ({
  ...TIME_ZONE_FIELD,
  help: {
    en: `For the document dates and the start date. ${provider} itself stores points in time only.`,
    de: `Für die Daten der Dokumente und das Startdatum. ${provider} selbst speichert nur Zeitpunkte.`,
  },
});
