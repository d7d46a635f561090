import type { inbox as english } from './en';

/** Texts of a source with an address of its own. Loaded with their views. */
export const inbox: typeof english = {
  title: 'Adresse für Ihre Belege',
  text: 'Senden oder leiten Sie Rechnungen an diese Adresse. Ihre Anhänge kommen innerhalb von Sekunden an.',
  copy: 'Adresse kopieren',
  copied: 'Die Adresse ist kopiert.',
  notCopied: 'Die Adresse konnte nicht kopiert werden. Bitte markieren und kopieren Sie sie selbst.',
};
