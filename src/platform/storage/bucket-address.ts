import type { IncomingHttpHeaders } from 'node:http';

export interface BucketLocation {
  /** Absent: Amazon S3. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Where the bucket's name is written: `path` or `host`. */
  readonly addressing: string;
}

/** The URL of a bucket and the region for signatures. */
export interface BucketAddress {
  readonly region: string;
  /** `https://host:port`, without the default port. */
  readonly origin: string;
  /** The bucket's own path. */
  readonly path: string;
  /** The path prefix of object keys, which ends with a slash. */
  readonly objects: string;
}

/** An error response. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** The names of Amazon's regions. Strict, because a region from a response becomes part of a host name. */
const REGION = '[a-z]{2,4}(?:-[a-z]{2,10}){1,2}-\\d{1,2}';
const IS_REGION = new RegExp(`^${REGION}$`);
/** `s3.eu-central-1.amazonaws.com`, also without a region, with the older dash notation, or for IPv6. */
const AMAZON = new RegExp(
  `^(s3(?:-fips)?(?:\\.dualstack)?)(?:[.-](?:${REGION}|external-1))?\\.(amazonaws\\.(?:com|com\\.cn|eu))$`,
);
/** Where an error body names a region: as an element, in the endpoint, or in the message. */
const REGION_PATTERNS = [
  /<Region>\s*([a-z0-9-]{1,64})\s*<\/Region>/,
  new RegExp(`<Endpoint>\\s*(?:[^<]*\\.)?s3[.-](?:dualstack\\.)?(${REGION})\\.amazonaws\\.(?:com|eu)`),
  new RegExp(`<Message>\\s*The (${REGION}|unspecified) location constraint is incompatible`),
];
/** Amazon's name for the default region. */
const UNSPECIFIED = { name: 'unspecified', region: 'us-east-1' };

/** The configured address. */
export function configuredAddress(place: BucketLocation): BucketAddress {
  return addressAt(
    new URL(place.endpoint ?? `https://s3.${place.region}.${domainOf(place.region)}`),
    place,
    place.region,
  );
}

/**
 * The address of the same bucket when an error names another region (`PermanentRedirect`, `TemporaryRedirect`,
 * `AuthorizationHeaderMalformed`, `IllegalLocationConstraintException`). An Amazon host is replaced by that of the region, any other
 * host is kept: no request is sent to a host from a response. Undefined when no region is named.
 */
export function correctedAddress(
  place: BucketLocation,
  { status, headers }: ErrorResponse,
  body: string,
): BucketAddress | undefined {
  if (![301, 307, 400].includes(status)) return undefined;
  const region = [headers['x-amz-bucket-region']].flat()[0] ?? regionIn(body);
  if (region === undefined || !/^[a-z0-9-]{1,64}$/.test(region)) return undefined;
  const base = new URL(place.endpoint ?? `https://s3.${domainOf(place.region)}`);
  const [, service, domain] = AMAZON.exec(base.hostname) ?? [];
  if (service !== undefined) {
    if (!IS_REGION.test(region)) return undefined;
    base.hostname = `${service}.${region}.${domain}`;
  }
  return addressAt(base, place, region);
}

/** The regions of China and of the European Sovereign Cloud have their own domains. */
function domainOf(region: string): string {
  if (region.startsWith('cn-')) return 'amazonaws.com.cn';
  return region.startsWith('eusc-') ? 'amazonaws.eu' : 'amazonaws.com';
}

function regionIn(body: string): string | undefined {
  const named = REGION_PATTERNS.map((pattern) => pattern.exec(body)?.[1]).find(Boolean);
  return named === UNSPECIFIED.name ? UNSPECIFIED.region : named;
}

function addressAt(base: URL, { bucket, addressing }: BucketLocation, region: string): BucketAddress {
  const root = base.pathname.replace(/\/+$/, '');
  if (addressing !== 'host') {
    return { region, origin: base.origin, path: `${root}/${bucket}`, objects: `${root}/${bucket}/` };
  }
  return { region, origin: base.origin.replace('://', `://${bucket}.`), path: `${root}/`, objects: `${root}/` };
}

/** The error code in an error body; empty when it has none. */
export function errorCodeOf(body: string): string {
  return /<Code>\s*([A-Za-z0-9.]{1,64})\s*<\/Code>/.exec(body)?.[1] ?? '';
}
