import {
  type CanActivate,
  Controller,
  Get,
  type INestApplication,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiOkResponse, ApiOperation, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { DeprecatedSince, DeprecationHeaders } from '../../../../src/platform/http/headers/deprecation';
import { describeConventions } from '../../../../src/platform/openapi/describe-conventions';

class Reject implements CanActivate {
  canActivate(): boolean {
    throw new UnauthorizedException();
  }
}

@Controller('v1')
class PartlyDeprecatedController {
  @Get('old/:uuid')
  @DeprecatedSince('2026-12-01', { successor: '/v1/new/{uuid}' })
  @ApiOperation({ operationId: 'getOld', description: 'Reads it.' })
  @ApiOkResponse({ description: 'It.' })
  replaced(): object {
    return {};
  }

  @Get('gone')
  @DeprecatedSince('2026-12-01')
  @UseGuards(Reject)
  withoutSuccessor(): object {
    return {};
  }

  @Get('new/:uuid')
  current(): object {
    return {};
  }
}

describe('@DeprecatedSince (decisions 1)', () => {
  let app: INestApplication;
  beforeAll(async () => {
    const module = await Test.createTestingModule({
      controllers: [PartlyDeprecatedController],
      providers: [{ provide: APP_GUARD, useClass: DeprecationHeaders }],
    }).compile();
    app = await module.createNestApplication({ logger: false }).init();
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app?.close());

  const headersOf = async (path: string, status: number) => {
    const { headers } = await request(await app.getUrl())
      .get(path)
      .expect(status);
    return { deprecation: headers.deprecation, sunset: headers.sunset, link: headers.link };
  };

  it('sets Deprecation, Sunset twelve months later, and the link to the successor', async () => {
    expect(await headersOf('/v1/old/a%20b', 200)).toEqual({
      deprecation: `@${Date.UTC(2026, 11, 1) / 1000}`,
      sunset: 'Wed, 01 Dec 2027 00:00:00 GMT',
      link: '</v1/new/a%20b>; rel="successor-version"',
    });
  });

  it('sets the headers of rejected requests too, and no link without a successor', async () => {
    expect(await headersOf('/v1/gone', 401)).toEqual({
      deprecation: '@1796083200',
      sunset: 'Wed, 01 Dec 2027 00:00:00 GMT',
      link: undefined,
    });
  });

  it('leaves other operations unchanged', async () => {
    expect(await headersOf('/v1/new/x', 200)).toEqual({ deprecation: undefined, sunset: undefined, link: undefined });
  });

  it('marks the operation in the OpenAPI document, with its headers', () => {
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    document.components = {};
    describeConventions(document);
    const { get } = document.paths['/v1/old/{uuid}']!;
    expect(get).toMatchObject({
      deprecated: true,
      description:
        '**Deprecated since 2026-12-01; it is removed after 2027-12-01.** Use `/v1/new/{uuid}` instead.\n\nReads it.',
      responses: { 200: { headers: { Deprecation: { required: true }, Sunset: {}, Link: {} } } },
    });
    expect(JSON.stringify(document)).not.toContain('x-deprecated-since');
    expect(document.paths['/v1/new/{uuid}']!.get).not.toHaveProperty('deprecated');
  });

  it('refuses an invalid date at the start', () => {
    expect(() => DeprecatedSince('soon')).toThrow(RangeError);
  });
});
