import { Controller, Get, Module, Post, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Access } from '../../../src/platform/http/access';
import { EveryRouteDeclaresAccess } from '../../../src/platform/http/every-route-declares-access';

@Controller('open')
class DeclaredController {
  @Get()
  @Access('none')
  get(): string {
    return 'x';
  }

  /** Not a route: needs no declaration. */
  helper(): string {
    return 'y';
  }
}

@Controller('whole')
@Access('key')
class DeclaredAsAWholeController {
  @Get()
  get(): string {
    return 'x';
  }
}

@Controller('forgotten')
class ForgottenController {
  @Get()
  @Access('key')
  get(): string {
    return 'x';
  }

  @Post()
  post(): string {
    return 'open to everybody';
  }
}

@Controller('inherited')
class InheritingController extends ForgottenController {}

async function start(...controllers: Type[]): Promise<void> {
  @Module({ imports: [DiscoveryModule], controllers, providers: [EveryRouteDeclaresAccess] })
  class SomeModule {}
  const module = await Test.createTestingModule({ imports: [SomeModule] }).compile();
  try {
    await module.createNestApplication({ logger: false }).init();
  } finally {
    await module.close();
  }
}

describe('a route without @Access', () => {
  it('does not start', async () => {
    await expect(start(DeclaredController, ForgottenController)).rejects.toThrow(
      'These routes lack @Access: ForgottenController.post (POST)',
    );
  });

  it('is found in a base class too', async () => {
    await expect(start(InheritingController)).rejects.toThrow('InheritingController.post (POST)');
  });

  it('is no matter where each method, or the whole controller, has one', async () => {
    await expect(start(DeclaredController, DeclaredAsAWholeController)).resolves.toBeUndefined();
  });
});
