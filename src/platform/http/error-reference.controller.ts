import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { I18nService } from 'nestjs-i18n';
import { Access } from './access';
import { currentLang, localise } from './lang';

type Sentence = string | { readonly other: string };

/** The page behind the `type` of every error body: what each code means. */
@ApiExcludeController()
@Controller('docs/errors')
export class ErrorReferenceController {
  constructor(private readonly i18n: I18nService) {}

  @Get()
  @Access('none')
  @Header('Content-Type', 'text/html; charset=utf-8')
  page(): string {
    const lang = currentLang();
    const title = localise({ en: 'Errors of the Docfetch API', de: 'Fehler der Docfetch-API' });
    const rows = Object.entries(this.sentences(lang))
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([code, sentence]) => {
        const text = typeof sentence === 'string' ? sentence : sentence.other;
        return `<dt id="${code}"><code>${code}</code></dt><dd>${escape(text.replace('{count}', 'n').replace('{headers}', 'X-API-KEY / X-TOKEN'))}</dd>`;
      });
    return [
      `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>`,
      `<meta name="viewport" content="width=device-width"></head>`,
      `<body><h1>${title}</h1><dl>${rows.join('')}</dl></body></html>`,
    ].join('');
  }

  private sentences(lang: string): Record<string, Sentence> {
    const texts = this.i18n.getTranslations() as Record<string, { errors?: { detail?: Record<string, Sentence> } }>;
    return texts[lang]?.errors?.detail ?? {};
  }
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
