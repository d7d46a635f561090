import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '../http/access/access.decorator';
import { notFound } from '../errors/errors';
import { GUIDE_POLICY } from './guide-page';
import { Guides } from './guides';

/** Serves the guides and examples of `docs/`. */
@ApiExcludeController()
@Controller('docs')
export class GuidesController {
  constructor(private readonly guides: Guides) {}

  @Get('guides')
  @Access('none')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', GUIDE_POLICY)
  index(): string {
    return this.guide('README');
  }

  @Get('guides/:name')
  @Access('none')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', GUIDE_POLICY)
  guide(@Param('name') name: string): string {
    return found(this.guides.page(name));
  }

  @Get('examples/:file')
  @Access('none')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  example(@Param('file') file: string): string {
    return found(this.guides.example(file));
  }
}

function found(text: string | undefined): string {
  if (text === undefined) throw notFound('ROUTE_NOT_FOUND');
  return text;
}
