import { Injectable, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS } from './access.decorator';
import { OWNED, resourceOf } from './owned.decorator';

interface Route {
  readonly controller: Type;
  readonly method: string;
  readonly handler: (...args: unknown[]) => unknown;
}

/**
 * Fails the start-up when a route lacks `@Access`, so that a forgotten declaration cannot make a route public, or when it takes
 * a `@Resource` that no `@Owned` has checked.
 */
@Injectable()
export class RouteAccessCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const routes = this.routes();
    const open = routes.filter((route) => !this.declared<unknown[]>(ACCESS, route)?.length);
    if (open.length > 0) throw new Error(`These routes lack @Access: ${open.map(describe).join(', ')}`);
    const unchecked = routes.filter((route) => takesResource(route) && this.declared(OWNED, route) === undefined);
    if (unchecked.length > 0) {
      throw new Error(`These routes take a @Resource and lack @Owned: ${unchecked.map(describe).join(', ')}`);
    }
  }

  private routes(): Route[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const prototype = metatype?.prototype as Record<string, Route['handler']> | undefined;
      if (!prototype) return [];
      return this.scanner
        .getAllMethodNames(prototype)
        .map((method): Route => ({ controller: metatype as Type, method, handler: prototype[method]! }))
        .filter(({ handler }) => Reflect.getMetadata(METHOD_METADATA, handler) !== undefined);
    });
  }

  /** The declaration of the method, else that of its controller. */
  private declared<T>(key: string, { handler, controller }: Route): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(key, [handler, controller]);
  }
}

function takesResource({ controller, method }: Route): boolean {
  type Parameters = Readonly<Record<string, { readonly factory?: unknown }>>;
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) as Parameters | undefined;
  return Object.values(parameters ?? {}).some(({ factory }) => factory === resourceOf);
}

function describe({ controller, method, handler }: Route): string {
  const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
  return `${controller.name}.${method} (${verb})`;
}
