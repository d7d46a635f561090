import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notFound } from '../errors/errors';
import { Access } from '../http/access/access.decorator';

/** Valid in the checkout and in the build. */
const EXAMPLES = join(__dirname, '../../../docs/examples');

/** Serves the programs of `docs/examples`, read once at start-up. Only these files can be requested. */
@ApiExcludeController()
@Controller('docs/examples')
export class ExamplesController {
  private readonly texts = new Map(
    readdirSync(EXAMPLES).map((file) => [file, readFileSync(join(EXAMPLES, file), 'utf8')] as const),
  );

  @Get(':file')
  @Access('none')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  example(@Param('file') file: string): string {
    const text = this.texts.get(file);
    if (text === undefined) throw notFound('ROUTE_NOT_FOUND');
    return text;
  }
}
