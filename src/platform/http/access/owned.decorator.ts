import { EntityManager } from '@mikro-orm/postgresql';
import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiParam } from '@nestjs/swagger';
import { validate as isUuid } from 'uuid';
import { ApiResourceErrors } from '../../errors/api-errors';
import { invalid, notFound } from '../../errors/errors';
import { addRequestFields } from '../../request/work-scope';
import type { CallerRequest } from './access.decorator';
import { findWithAccess, type ResourceType } from './resource';
import { assertWithinTokenScope } from './token-scope';

export const OWNED = 'owned';

interface Options {
  /** 404 for endpoints without 422 in spec 4 (`…/information`). By default, a malformed uuid is 422. */
  readonly malformed?: 404;
  /** Rejects a token that is restricted to one connection or integration (decisions 3). */
  readonly unrestricted?: boolean;
  /** Further path parameters that are uuids; their format is checked before the resource is looked up. */
  readonly otherUuids?: readonly string[];
  /** Guards that run after this one. */
  readonly furtherGuards?: readonly Type<CanActivate>[];
  /** Describes the path parameter in another way. */
  readonly parameter?: { readonly description?: string; readonly example?: string };
}

/** The only guard for a resource in the path: 422, 404, 403, in the order of decisions 2, before the body is validated. */
@Injectable()
export class ResourceGuard implements CanActivate {
  constructor(
    private readonly em: EntityManager,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [type, { malformed, unrestricted, otherUuids = [] }] = this.reflector.getAllAndOverride<
      [ResourceType<unknown>, Options]
    >(OWNED, [context.getHandler(), context.getClass()]);
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { params, caller } = request;
    const wrong = [type.parameter.name, ...otherUuids].filter((name) => !isUuid(params[name]));
    if (wrong.length > 0 && malformed !== 404) throw invalid(wrong.map((field) => ({ field, code: 'INVALID_UUID' })));
    const resource = await findWithAccess(this.em, type, caller!, params[type.parameter.name]);
    if (!resource) throw notFound(type.notFound);
    if (unrestricted) assertWithinTokenScope(caller!, { connectionUuid: null, integrationId: null });
    request.resource = resource;
    addRequestFields({ [logFieldOf(type)]: params[type.parameter.name]! as string });
    if (type.deletedWith) request.belongsTo = type.deletedWith(resource);
    return true;
  }
}

/** The field of log lines with the uuid, such as `connection_uuid`; many paths have only `uuid`. */
const logFieldOf = ({ notFound }: ResourceType<unknown>): string =>
  `${notFound.replace(/_NOT_FOUND$/, '').toLowerCase()}_uuid`;

/** Permits a route, or all routes of a controller, only to callers with access to the resource in the path, and documents that. */
export function Owned<T>(type: ResourceType<T>, options: Options = {}): ClassDecorator & MethodDecorator {
  const { malformed, unrestricted, furtherGuards = [], parameter } = options;
  return applyDecorators(
    SetMetadata(OWNED, [type, options]),
    UseGuards(ResourceGuard, ...furtherGuards),
    ApiParam({ format: 'uuid', ...type.parameter, ...parameter }),
    ApiResourceErrors(
      ...(malformed === 404 ? [] : (['VALIDATION_FAILED'] as const)),
      type.notYours,
      ...(type.belongsTo === 'identity' && !unrestricted ? [] : (['NOT_ALLOWED_BY_TOKEN'] as const)),
      type.notFound,
    ),
  );
}

/** The resource in the path, which `ResourceGuard` has found. */
export const resourceOf = (_: unknown, context: ExecutionContext): unknown =>
  context.switchToHttp().getRequest<CallerRequest>().resource;

/** Injects the resource in the path. The application does not start while a route that uses it lacks `@Owned`. */
export const Resource = createParamDecorator(resourceOf);
