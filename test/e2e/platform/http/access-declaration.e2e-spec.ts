import { EntityManager } from '@mikro-orm/postgresql';
import {
  All,
  Controller,
  type DynamicModule,
  Get,
  Head,
  Module,
  Options,
  Patch,
  Post,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { Access } from '../../../../src/platform/http/access/access.decorator';
import { RouteAccessCheck } from '../../../../src/platform/http/access/route-access-check';
import { Owned, Resource } from '../../../../src/platform/http/access/owned.decorator';
import { IDENTITY } from '../../../../src/identities/identity-resource';
import { useSharedContext } from '../../../harness/app/test-context';

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

@Controller('quiet')
class QuietController {
  @Head()
  head(): void {}

  @Options()
  options(): void {}

  @All('all')
  all(): void {}

  @Patch('accepts-nobody')
  @Access()
  patch(): void {}
}

@Controller('uses')
@Access('key')
class ResourceController {
  @Get(':identity_uuid')
  @Owned(IDENTITY)
  checked(@Resource() identity: unknown): unknown {
    return identity;
  }

  @Get(':identity_uuid/unchecked')
  unchecked(@Resource() identity: unknown): unknown {
    return identity;
  }
}

@Controller('owned')
@Access('key')
@Owned(IDENTITY)
class OwnedAsAWholeController {
  @Get(':identity_uuid')
  get(@Resource() identity: unknown): unknown {
    return identity;
  }
}

/** Controllers of a dynamic module. */
class LateModule {
  static with(...controllers: Type[]): DynamicModule {
    return { module: LateModule, controllers };
  }
}

async function startWith(module: DynamicModule): Promise<void> {
  const built = await Test.createTestingModule({
    imports: [DiscoveryModule, module],
    providers: [RouteAccessCheck],
  }).compile();
  try {
    await built.createNestApplication({ logger: false }).init();
  } finally {
    await built.close();
  }
}

async function start(...controllers: Type[]): Promise<void> {
  const unused = { provide: EntityManager, useValue: {} };
  @Module({ imports: [DiscoveryModule], controllers, providers: [RouteAccessCheck, unused] })
  class SomeModule {}
  const module = await Test.createTestingModule({ imports: [SomeModule] }).compile();
  try {
    await module.createNestApplication({ logger: false }).init();
  } finally {
    await module.close();
  }
}

describe('a route without @Access', () => {
  it('prevents the start', async () => {
    await expect(start(DeclaredController, ForgottenController)).rejects.toThrow(
      'These routes lack @Access: ForgottenController.post (POST)',
    );
  });

  it('is detected in a base class too', async () => {
    await expect(start(InheritingController)).rejects.toThrow('InheritingController.post (POST)');
  });

  it.each([
    'QuietController.head (HEAD)',
    'QuietController.options (OPTIONS)',
    'QuietController.all (ALL)',
    'QuietController.patch (PATCH)',
  ])('is detected for every method: %s', async (route) => {
    await expect(start(QuietController)).rejects.toThrow(route);
  });

  it('is detected in a dynamic module', async () => {
    await expect(startWith(LateModule.with(DeclaredController, ForgottenController))).rejects.toThrow(
      'These routes lack @Access: ForgottenController.post (POST)',
    );
    await expect(startWith(LateModule.with(DeclaredController))).resolves.toBeUndefined();
  });

  it('is not reported when each method, or the whole controller, declares it', async () => {
    await expect(start(DeclaredController, DeclaredAsAWholeController)).resolves.toBeUndefined();
  });
});

describe('a route with a @Resource', () => {
  it('prevents the start without @Owned', async () => {
    await expect(start(ResourceController, OwnedAsAWholeController)).rejects.toThrow(
      /^These routes take a @Resource and lack @Owned: ResourceController\.unchecked \(GET\)$/,
    );
  });

  it('starts when the method, or the whole controller, has @Owned', async () => {
    await expect(start(OwnedAsAWholeController)).resolves.toBeUndefined();
  });
});

describe('methods that Express handles itself', () => {
  const context = useSharedContext();
  const ask = (method: 'head' | 'options', headers: Record<string, string> = {}) =>
    request(context.app.url)[method](`/v1/identities/${context.identity}`).set(headers);

  it('HEAD requires the same credentials as GET', async () => {
    await ask('head').expect(401);
    await ask('head', { 'X-API-KEY': context.otherClient.apiKey }).expect(403);
    await ask('head', { 'X-API-KEY': context.client.apiKey }).expect(200);
  });

  it('OPTIONS lists the methods of the path and reveals nothing else', async () => {
    const answer = await ask('options', { Origin: 'https://app.example.com' });
    const other = await request(context.app.url).options(`/v1/identities/${randomUUID()}`);
    for (const { status, text, headers } of [answer, other]) {
      expect([status, text, headers.allow]).toEqual([204, '', 'DELETE, GET, HEAD, OPTIONS, PATCH']);
    }
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('OPTIONS of a path that looks like one with an id lists only its own methods', async () => {
    const { status, headers } = await request(context.app.url).options('/v1/transactions/acknowledge');
    expect([status, headers.allow]).toEqual([204, 'OPTIONS, POST']);
  });
});
