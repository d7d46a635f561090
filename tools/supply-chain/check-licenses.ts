import satisfies from 'spdx-satisfies';

/** A package of a CycloneDX 1.5 document; only the members that are read here. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** SPDX: an expression, or an id. A `name` is free text. */
  readonly licenses?: readonly { expression?: string; license?: { id?: string; name?: string } }[];
  readonly properties?: readonly { name: string; value: string }[];
}

/** `licenses.json`: the allowed licenses of packages. */
export interface Policy {
  /** SPDX ids that any package may have. */
  readonly allowed: readonly string[];
  /** Packages (a trailing `*` matches anything) whose license is not in `allowed`, and that are never shipped. */
  readonly toolsOnly: readonly { package: string; license: string; reason: string }[];
  /** Packages, by name and version, that declare no SPDX license, with the license stated in their files. */
  readonly undeclared: readonly { package: string; license: string; evidence: string }[];
}

/** One line for each package whose license the policy does not allow, and for each entry of the policy that no package needs. */
export function checkLicenses(components: readonly Component[], policy: Policy): string[] {
  const used = new Set<object>();
  const refused = components.flatMap((component) => {
    const problem = problemOf(component, policy, used);
    return problem === null ? [] : [`${component.name}@${component.version}: ${problem}`];
  });
  const unused = [...policy.toolsOnly, ...policy.undeclared].filter((entry) => !used.has(entry));
  return [...refused, ...unused.map((entry) => `licenses.json names ${entry.package}, which is not needed any more`)];
}

function problemOf(component: Component, policy: Policy, used: Set<object>): string | null {
  const license = declared(component) ?? named(component, policy, used);
  if (license === null) return 'declares no license. Find out which it has and add it to "undeclared"';
  if (isAllowed(license, policy.allowed)) return null;
  const exception = policy.toolsOnly.find((entry) => matches(entry.package, component.name));
  if (!exception || !isAllowed(license, [...policy.allowed, exception.license])) return `${license} is not allowed`;
  used.add(exception);
  return isDevelopment(component) ? null : `${license} is allowed for tools only, and this package is shipped`;
}

function declared({ licenses = [] }: Component): string | null {
  const ids = licenses.flatMap(({ expression, license }) => expression ?? license?.id ?? license?.name ?? []);
  return ids.length > 0 ? ids.join(' AND ') : null;
}

function named({ name, version }: Component, { undeclared }: Policy, used: Set<object>): string | null {
  const entry = undeclared.find((one) => one.package === `${name}@${version}`);
  if (!entry) return null;
  used.add(entry);
  return entry.license;
}

/** Free text such as "SEE LICENSE IN …" is not an SPDX expression, so no entry allows it. */
function isAllowed(license: string, allowed: readonly string[]): boolean {
  try {
    return satisfies(license, [...allowed]);
  } catch {
    return false;
  }
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

const isDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
