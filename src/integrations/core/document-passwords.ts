import type { FieldSpec } from './field';

/**
 * Passwords of PDF files and zip archives: a step-1 field of mailboxes and cloud storages, which `defineIntegration` adds. They are no
 * credentials: the provider never gets them.
 */
export const DOCUMENT_PASSWORDS_FIELD = {
  id: 'document_passwords',
  type: 'password',
  label: { en: 'Passwords of protected documents', de: 'Passwörter geschützter Dokumente' },
  help: {
    en: 'For PDF files and zip archives that open with a password only. We try each of these passwords; the files themselves stay as they are.',
    de: 'Für PDF-Dateien und ZIP-Archive, die sich nur mit einem Passwort öffnen lassen. Wir probieren jedes dieser Passwörter aus; die Dateien selbst bleiben unverändert.',
  },
  required: false,
  secret: true,
  multiple: true,
  min: 1,
  max: 256,
  // Each is tried for each protected file.
  maxItems: 20,
} as const satisfies FieldSpec;

/** Whether a secret is a credential, which the provider can reject. */
export const isCredential = ({ id, secret }: FieldSpec): boolean =>
  secret === true && id !== DOCUMENT_PASSWORDS_FIELD.id;

/** The passwords that the user has stored with a connection. */
export function documentPasswords(fields: object): readonly string[] {
  const stored = (fields as { readonly [DOCUMENT_PASSWORDS_FIELD.id]?: unknown })[DOCUMENT_PASSWORDS_FIELD.id];
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
}
