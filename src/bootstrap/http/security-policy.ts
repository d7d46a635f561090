import type { HelmetOptions } from 'helmet';

/** A content security policy: sources by directive. */
type Directives = Readonly<Record<string, string[]>>;

/** For responses that are not pages. */
export const NOTHING: Directives = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] };

/** Swagger UI uses inline styles; scripts are the service's own files. */
export const SWAGGER_UI: Directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
};

/** The options of helmet for a service at this address. */
export const securityPolicy = (publicUrl: string, directives: Directives): HelmetOptions => ({
  xFrameOptions: { action: 'deny' },
  contentSecurityPolicy: { useDefaults: false, directives },
  referrerPolicy: { policy: 'no-referrer' },
  // Other hosts of the domain must not be forced to use https.
  strictTransportSecurity: publicUrl.startsWith('https:') && { includeSubDomains: false },
});
