import type { popup as english } from './en';

/** Texts of the authorization in a popup. Loaded with its views. */
export const popup: typeof english = {
  title: (name) => `Bei ${name} anmelden`,
  text: (name) =>
    `${name} öffnet sich in einem eigenen Fenster. Erlauben Sie dort den Zugriff und kommen Sie dann zurück: Hier geht es automatisch weiter.`,
  open: (name) => `${name} öffnen`,
  waiting: 'Wir warten, bis Sie den Zugriff erlauben …',
  leaving: 'Weiter zum Anbieter',
  close: 'Sie können dieses Fenster schließen und auf der Seite weitermachen, von der Sie gekommen sind.',
  newWindow: 'in einem neuen Fenster',
};
