/** The specification identifier (BT-24) of Peppol BIS Billing 3. */
export const PEPPOL_BIS = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';

const BILLING = /urn:fdc:peppol\.eu:2017:poacc:billing:/;

/** Whether an invoice claims to be one of Peppol BIS Billing: by its identifier, or by its process when it has no identifier. */
export function claimsPeppolBis(specification: string | undefined, process: string): boolean {
  return BILLING.test(specification ?? process);
}
