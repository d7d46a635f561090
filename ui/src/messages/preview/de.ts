import type { preview as english } from './en';

export const preview: typeof english = {
  title: (name) => (name ? `Vorschau des Designs: ${name}` : 'Vorschau des Designs'),
  lead: 'Es wurde nichts gespeichert. Die Daten sind erfunden, und nichts, was Sie eingeben, verlässt diese Seite.',
  until: (when) => `Der Link gilt bis ${when}.`,
  untilDay: (day, time) => `zum ${day}, ${time}\u00a0Uhr`,
  expiredTitle: 'Diese Vorschau gibt es nicht mehr',
  expiredText: 'Der Link ist abgelaufen oder unvollständig. Bitte lassen Sie sich einen neuen geben.',
  view: 'Ansicht',
  views: { overview: 'Übersicht', choose: 'Auswahl einer Quelle', form: 'Formular', source: 'Quelle' },
  width: 'Breite',
  widths: { phone: 'Telefon', frame: 'Rahmen', page: 'Seite' },
  scheme: { light: 'Hell', dark: 'Dunkel' },
  logo: {
    title: 'Logo',
    none: 'Es gibt kein Logo. Stattdessen steht der Name da.',
    noneAndNoName: 'Es gibt weder ein Logo noch einen Namen.',
    loading: 'Das Logo wird geladen.',
    shown: 'Das Logo lässt sich laden. Prüfen Sie, ob es auf beiden Hintergründen erkennbar ist.',
    failed: (name) =>
      name
        ? 'Das Logo lässt sich nicht laden. Stattdessen steht der Name da.'
        : 'Das Logo lässt sich nicht laden, und es gibt keinen Namen, der stattdessen dasteht.',
  },
  contrast: {
    title: 'Kontrast der Farbe',
    unchanged: (color) => `${color} hat überall genug Kontrast und wird unverändert verwendet.`,
    changed: (color) =>
      `${color} hat nicht überall genug Kontrast. Wo mehr nötig ist, wird die Farbe dunkler oder heller.`,
    default: 'Es gibt keine Farbe. Die übliche wird verwendet.',
    use: 'Verwendung',
    color: 'Farbe',
    ratio: 'Kontrast',
    needed: 'Nötig',
    uses: {
      fill: 'Schaltfläche auf ihrem Hintergrund',
      onFill: 'Text auf einer Schaltfläche',
      text: 'Link und farbiger Text',
      selected: 'Text von Ausgewähltem',
    },
    passes: 'ausreichend',
    fails: 'nicht ausreichend',
  },
};
