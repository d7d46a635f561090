import type { IncomingHttpHeaders } from 'node:http';

export interface BucketLocation {
  /** Absent: Amazon S3. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Where the bucket's name stands: `path` or `host`. */
  readonly addressing: string;
}

/** Where a bucket's requests go, and for which region they are signed. */
export interface BucketAddress {
  readonly region: string;
  /** `https://host:port`, without the port where it is the usual one. */
  readonly origin: string;
  /** The bucket's own path. */
  readonly path: string;
  /** What stands before an object's key: ends with a slash. */
  readonly objects: string;
}

/** An answer that is none of those hoped for. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** As regions of Amazon's are named. Strict: what an answer says becomes a part of a host's name. */
const REGION = '[a-z]{2,4}(?:-[a-z]{2,10}){1,2}-\\d{1,2}';
const IS_REGION = new RegExp(`^${REGION}$`);
/** `s3.eu-central-1.amazonaws.com`, without a region, with a dash before it as they once were, or for IPv6. */
const AMAZON = new RegExp(
  `^(s3(?:-fips)?(?:\\.dualstack)?)(?:[.-](?:${REGION}|external-1))?\\.(amazonaws\\.(?:com|com\\.cn|eu))$`,
);
/** Where a refusal's body names a region: of itself, in the host that should be asked, or in what is said to the user. */
const NAMED = [
  /<Region>\s*([a-z0-9-]{1,64})\s*<\/Region>/,
  new RegExp(`<Endpoint>\\s*(?:[^<]*\\.)?s3[.-](?:dualstack\\.)?(${REGION})\\.amazonaws\\.(?:com|eu)`),
  new RegExp(`<Message>\\s*The (${REGION}|unspecified) location constraint is incompatible`),
];
/** What Amazon calls the region that buckets are in of which nothing was said. */
const FIRST = { name: 'unspecified', region: 'us-east-1' };

/** The address that the user has named. */
export function configuredAddress(place: BucketLocation): BucketAddress {
  return addressAt(
    new URL(place.endpoint ?? `https://s3.${place.region}.${domainOf(place.region)}`),
    place,
    place.region,
  );
}

/**
 * The same bucket's address where an answer tells that it is in another region (`PermanentRedirect`, `TemporaryRedirect`,
 * `AuthorizationHeaderMalformed`, `IllegalLocationConstraintException`). A host of Amazon's becomes that region's, any other one stays
 * what it is: no request goes to where an answer says. Undefined where it tells no region.
 */
export function correctedAddress(
  place: BucketLocation,
  { status, headers }: ErrorResponse,
  body: string,
): BucketAddress | undefined {
  if (![301, 307, 400].includes(status)) return undefined;
  const told = [headers['x-amz-bucket-region']].flat()[0] ?? regionIn(body);
  if (told === undefined || !/^[a-z0-9-]{1,64}$/.test(told)) return undefined;
  const base = new URL(place.endpoint ?? `https://s3.${domainOf(place.region)}`);
  const [, service, domain] = AMAZON.exec(base.hostname) ?? [];
  if (service !== undefined) {
    if (!IS_REGION.test(told)) return undefined;
    base.hostname = `${service}.${told}.${domain}`;
  }
  return addressAt(base, place, told);
}

/** China's regions and those of the European Sovereign Cloud are apart from all others. */
function domainOf(region: string): string {
  if (region.startsWith('cn-')) return 'amazonaws.com.cn';
  return region.startsWith('eusc-') ? 'amazonaws.eu' : 'amazonaws.com';
}

function regionIn(body: string): string | undefined {
  const named = NAMED.map((pattern) => pattern.exec(body)?.[1]).find(Boolean);
  return named === FIRST.name ? FIRST.region : named;
}

function addressAt(base: URL, { bucket, addressing }: BucketLocation, region: string): BucketAddress {
  const root = base.pathname.replace(/\/+$/, '');
  if (addressing !== 'host') {
    return { region, origin: base.origin, path: `${root}/${bucket}`, objects: `${root}/${bucket}/` };
  }
  return { region, origin: base.origin.replace('://', `://${bucket}.`), path: `${root}/`, objects: `${root}/` };
}

/** The error's code in a refusal's body; empty when it has none. */
export function errorCodeOf(body: string): string {
  return /<Code>\s*([A-Za-z0-9.]{1,64})\s*<\/Code>/.exec(body)?.[1] ?? '';
}
