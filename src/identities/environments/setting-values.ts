export const ENVIRONMENT_KINDS = ['LIVE', 'TEST'] as const;
export type EnvironmentKind = (typeof ENVIRONMENT_KINDS)[number];

export const STRATEGIES = ['PUSH', 'WEBHOOK', 'POLLING'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** How requests to the client's provisioning URL are authenticated (spec 5 rule 6). */
export const CLIENT_AUTHS = ['NONE', 'BEARER', 'QUERY', 'HEADER'] as const;
export type ClientAuth = (typeof CLIENT_AUTHS)[number];

/** Which mails for an address of a connection are accepted, by the result of their authentication. */
export const MAIL_POLICIES = ['RECORD', 'DMARC', 'REQUIRE'] as const;
export type MailPolicy = (typeof MAIL_POLICIES)[number];
