/** How the mailboxes of an integration are recognized from their addresses (decisions 5). */
export interface MailProvider {
  /** The domains of its own addresses. */
  readonly domains: readonly string[];
  /** Its servers, which receive or hold the mail of domains of its customers: names of hosts, or domains above them. */
  readonly hosts: readonly string[];
  /** All integrations for these mailboxes, where there are several: the first one that is available is used. */
  readonly integrations?: readonly string[];
}

/** Whether a host is the domain itself or below it. Both in lower case. */
export const isWithinDomain = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
