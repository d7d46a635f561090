import type { EntityManager } from '@mikro-orm/postgresql';
import { validate as isUuid } from 'uuid';
import type { CodeOf } from '../../errors/error-codes';
import { forbidden } from '../../errors/errors';
import type { Caller } from './access.decorator';
import { assertWholeEnvironment, assertWithinTokenScope } from './token-scope';

/** Whose a resource is, by what it belongs to. */
interface Owners {
  /** Managed by the support team; `@Access('support')` has checked the caller. */
  installation: object;
  /** UI tokens have no access. */
  environment: { readonly environmentUuid: string };
  /** A token restricted to one connection or integration of the identity has access, except with `unrestricted`. */
  identity: Owners['environment'] & { readonly identityUuid: string };
  connection: Owners['identity'] & { readonly connectionUuid: string; readonly integrationId: string };
}

/** One kind of resource, described once for its guard (`@Owned`), for guards of bodies and for the API document. */
export interface ResourceType<T, Kind extends keyof Owners = keyof Owners> {
  /** The path parameter that contains its uuid. */
  readonly parameter: { readonly name: string; readonly description: string; readonly example?: string };
  readonly notFound: CodeOf<404>;
  readonly notYours: CodeOf<403>;
  readonly belongsTo: Kind;
  find(em: EntityManager, uuid: string): Promise<T | null | undefined>;
  /** Undefined if the owner was deleted in the meantime: then the resource does not exist either. */
  ownerOf(resource: T, em: EntityManager): Owners[Kind] | Promise<Owners[Kind] | undefined>;
  /** Further owners, with which stored responses about the resource are deleted. */
  deletedWith?(resource: T): string[];
}

/** Lets the compiler derive the kind. */
export const defineResource = <T, Kind extends keyof Owners>(type: ResourceType<T, Kind>): ResourceType<T, Kind> =>
  type;

/**
 * Checks whose a resource is (spec 5 rule 5), then the scope of the token (decisions 3).
 * @throws ApiError 403 with the code of the resource, or `NOT_ALLOWED_BY_TOKEN`
 */
export function assertAccess<Kind extends keyof Owners>(
  { belongsTo, notYours }: Pick<ResourceType<unknown, Kind>, 'belongsTo' | 'notYours'>,
  caller: Caller,
  owner: Owners[Kind],
): void {
  if (belongsTo === 'installation') return;
  const { environmentUuid, identityUuid, connectionUuid, integrationId } = owner as Partial<Owners['connection']>;
  if (caller.environmentUuid !== environmentUuid) throw forbidden(notYours);
  if (belongsTo === 'environment') return assertWholeEnvironment(caller);
  if (caller.identityUuid !== null && caller.identityUuid !== identityUuid) throw forbidden(notYours);
  if (belongsTo === 'connection') assertWithinTokenScope(caller, { connectionUuid, integrationId });
}

/**
 * Finds the resource with a uuid that the caller has sent. Null if it does not exist; undefined if it is not a uuid.
 * @throws ApiError 403 as `assertAccess`
 */
export async function findWithAccess<T, Kind extends keyof Owners>(
  em: EntityManager,
  type: ResourceType<T, Kind>,
  caller: Caller,
  uuid: unknown,
): Promise<T | null | undefined> {
  if (typeof uuid !== 'string' || !isUuid(uuid)) return undefined;
  const resource = await type.find(em, uuid);
  const owner = resource && (await type.ownerOf(resource, em));
  if (!owner) return null;
  assertAccess(type, caller, owner);
  return resource;
}
