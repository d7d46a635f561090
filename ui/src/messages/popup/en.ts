/** Texts of the authorization in a popup. Loaded with its views. */
export const popup = {
  title: (name: string) => `Sign in to ${name}`,
  text: (name: string) =>
    `${name} opens in a separate window. Allow access there, then come back: this page continues automatically.`,
  open: (name: string) => `Open ${name}`,
  waiting: 'Waiting for you to allow access …',
  leaving: 'Continuing to the provider',
  close: 'You can close this window and continue on the page that you came from.',
  newWindow: 'in a new window',
};
