const EN = {
  title: 'Connect your documents',
  close: 'Close',
  loading: 'Loading …',
  popupOpen: 'Continue in the window that has opened.',
  popupShow: 'Show the window',
  popupBlocked: 'Your browser has blocked the window.',
  popupSeparate: 'If the window is gone, you can open it again.',
  openWindow: 'Open the window',
  sameWindow: 'Continue in this window',
  failed: 'This could not be loaded. Please try again later.',
  notLoaded: 'This could not be loaded here. You can continue in this window instead.',
};

const DE: typeof EN = {
  title: 'Dokumente verbinden',
  close: 'Schließen',
  loading: 'Wird geladen …',
  popupOpen: 'Bitte machen Sie in dem Fenster weiter, das sich geöffnet hat.',
  popupShow: 'Fenster zeigen',
  popupBlocked: 'Ihr Browser hat das Fenster blockiert.',
  popupSeparate: 'Falls das Fenster nicht mehr da ist, können Sie es noch einmal öffnen.',
  openWindow: 'Fenster öffnen',
  sameWindow: 'In diesem Fenster weitermachen',
  failed: 'Das konnte nicht geladen werden. Bitte versuchen Sie es später noch einmal.',
  notLoaded: 'Das konnte hier nicht geladen werden. Sie können stattdessen in diesem Fenster weitermachen.',
};

export type Texts = typeof EN;

/** The texts in the language of the token, else in that of the page, else in that of the browser. */
export function textsFor(lang: string | undefined): Texts {
  const wanted = lang ?? (document.documentElement.lang || navigator.language);
  return wanted.startsWith('de') ? DE : EN;
}
