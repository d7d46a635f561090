import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import { describeApi } from '../bootstrap/openapi/describe-api';
import { fillInRememberedIds, rememberIds } from './page-functions';
import { docfetchPlugin } from './page-plugin';
import { ICON_URL, PAGE_STYLE } from './page-style';
import { SAMPLE_IDS } from './sample-ids';

/** The Swagger page at `/docs`, and the document at `/openapi.json` and `/openapi.yaml`. */
export function serveSwaggerPage(app: INestApplication, publicUrl: string): void {
  SwaggerModule.setup('docs', app, () => describeApi(app, publicUrl), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Docfetch API',
    customfavIcon: ICON_URL,
    customCss: PAGE_STYLE,
    swaggerOptions: {
      layout: 'BaseLayout',
      // Its colors have too little contrast.
      syntaxHighlight: { activated: false },
      plugins: [docfetchPlugin],
      persistAuthorization: true,
      displayRequestDuration: true,
      requestInterceptor: fillInRememberedIds,
      responseInterceptor: rememberIds,
      sampleIds: SAMPLE_IDS,
    },
  });
}
