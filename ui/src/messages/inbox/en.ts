/** Texts of a source with an address of its own. Loaded with their views. */
export const inbox = {
  title: 'Address for your documents',
  /** Title of the end of the setup. */
  done: 'Your address is set up',
  text: 'Send or forward invoices to this address. Their attachments are fetched automatically, usually within a few minutes.',
  copy: 'Copy address',
  copied: 'The address is copied.',
  notCopied: 'The address could not be copied. Please select it and copy it yourself.',
};
