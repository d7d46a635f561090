import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS } from './access.decorator';

/** Fails the start-up when a route lacks `@Access`, so that a forgotten declaration cannot make a route public. */
@Injectable()
export class RouteAccessCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const undeclared = this.discovery.getControllers().flatMap(({ metatype, name }) => {
      if (!metatype) return [];
      const prototype = metatype.prototype as Record<string, (...args: unknown[]) => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((method) => {
          const handler = prototype[method]!;
          const isRoute = Reflect.getMetadata(METHOD_METADATA, handler) !== undefined;
          const accepted = this.reflector.getAllAndOverride<unknown[] | undefined>(ACCESS, [
            handler,
            metatype as never,
          ]);
          return isRoute && !accepted?.length;
        })
        .map((method) => {
          const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, prototype[method]!) as number];
          return `${name}.${method} (${verb})`;
        });
    });
    if (undeclared.length > 0) throw new Error(`These routes lack @Access: ${undeclared.join(', ')}`);
  }
}
