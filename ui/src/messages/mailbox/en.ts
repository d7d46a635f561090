/** Texts of the setup of a mailbox by its address, and of the steps to its password. Loaded with their views. */
export const mailbox = {
  title: 'Connect a mailbox',
  lead: 'Enter the e-mail address. We find out how the mailbox is connected.',
  address: 'E-mail address',
  placeholder: 'name@example.com',
  submit: 'Continue',
  searching: 'Finding out how this mailbox is connected. This can take a few seconds.',
  manually: 'Enter the server yourself',
  notAllowed: 'Mailboxes of this provider cannot be connected here. Please contact the support of your application.',
  provider: (address: string, name: string) => `${address} is a mailbox at ${name}.`,
  server: (address: string, host: string) =>
    `We found the server of ${address}: ${host}. Only the password is missing.`,
  noServer: (address: string) =>
    `We found no server for ${address}. Please enter it yourself: your provider states it in its help, under “IMAP”.`,
  byHand: 'Your provider states the server in its help, under “IMAP”.',
  steps: { title: 'How to get the password', open: (name: string) => `Open the page of ${name}` },
  confirm: {
    title: 'Is this the server of your mailbox?',
    text: (domain: string) => `According to ${domain}, your mailbox is on a server with the name of another company:`,
    warning:
      'Your password will be sent to this server. Only continue if you know it, for example from the settings of your e-mail program or from your administrator.',
    accept: 'Yes, this is right',
    refuse: 'No, enter another server',
  },
};
