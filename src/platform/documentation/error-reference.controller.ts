import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { I18nService } from 'nestjs-i18n';
import { Access } from '../http/access/access.decorator';
import { REFERENCE_POLICY, referencePage, type ReferenceTexts } from './error-reference.page';
import { currentLang, LANGUAGE_HEADERS, negotiate } from '../i18n/lang';

/** The page behind the `type` of every error body (decisions 2). */
@ApiExcludeController()
@Controller('docs/errors')
export class ErrorReferenceController {
  constructor(private readonly i18n: I18nService) {}

  /** In the language of `?lang=`, which the page's own link sets; otherwise in the language of the request. */
  @Get()
  @Access('none')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', REFERENCE_POLICY)
  @Header('Vary', LANGUAGE_HEADERS)
  page(@Query('lang') wanted: unknown): string {
    const lang = typeof wanted === 'string' && wanted !== '' ? negotiate(wanted, undefined) : currentLang();
    const texts = this.i18n.getTranslations() as unknown as Record<string, ReferenceTexts>;
    return referencePage(texts[lang]!, lang);
  }
}
