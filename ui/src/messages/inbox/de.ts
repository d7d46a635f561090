import type { inbox as english } from './en';

/** Texts of a source with an address of its own. Loaded with their views. */
export const inbox: typeof english = {
  title: 'Adresse für Ihre Belege',
  done: 'Ihre Adresse ist eingerichtet',
  text: 'Schicken Sie Rechnungen an diese Adresse, oder leiten Sie sie dorthin weiter. Die Anhänge werden automatisch übernommen, meist innerhalb weniger Minuten.',
  copy: 'Adresse kopieren',
  copied: 'Die Adresse ist kopiert.',
  notCopied: 'Die Adresse konnte nicht kopiert werden. Bitte markieren und kopieren Sie sie selbst.',
};
