import type { DefinedValues } from '../read-defined-values';

/** Adds a line to `problems` for each contradiction between the settings for receiving mails. */
export function checkMailReceipt(
  { smtpPort, inboxDomain, smtpTlsCertificate, smtpTlsKey, production, port, metricsPort, role }: DefinedValues,
  problems: string[],
): void {
  if ((smtpTlsCertificate === null) !== (smtpTlsKey === null)) {
    problems.push('SMTP_TLS_CERTIFICATE and SMTP_TLS_KEY need each other');
  }
  if (smtpPort === null) return;
  if (inboxDomain === null && !problems.some((problem) => problem.startsWith('INBOX_DOMAIN '))) {
    problems.push('SMTP_PORT needs INBOX_DOMAIN, the domain of the addresses');
  }
  if (smtpPort !== 0 && (smtpPort === port || smtpPort === metricsPort)) {
    problems.push('SMTP_PORT must be another port than PORT and METRICS_PORT');
  }
  if (production && role !== 'worker' && smtpTlsCertificate === null) {
    problems.push('SMTP_TLS_CERTIFICATE is required in production with SMTP_PORT: a file with the certificate (PEM)');
  }
}
