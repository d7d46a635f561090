import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { themeOf } from '../../identities/environments-api/environment-change';
import { ENVIRONMENT } from '../../identities/environments/environment-resource';
import type { Environment } from '../../identities/environments/environment.entity';
import { ApiData, type Enveloped, enveloped } from '../../platform/errors/envelope';
import { Access } from '../../platform/http/access/access.decorator';
import { Owned, Resource } from '../../platform/http/access/owned.decorator';
import { PreviewTheme } from './preview-theme';
import { PreviewThemeDto, ThemePreviewView } from './theme-preview.dto';

@ApiTags('Console')
@Controller('v1/console/environments')
export class ThemePreviewController {
  constructor(private readonly previewTheme: PreviewTheme) {}

  @Post(':environment_uuid/theme-preview')
  @Access('support')
  @HttpCode(200)
  @Owned(ENVIRONMENT)
  @ApiOperation({
    operationId: 'previewTheme',
    summary: 'Preview a theme',
    description:
      'A link that shows the hosted UI with the theme of the environment and these changes, for seven days and without a session. Nothing is stored. For the support team.',
  })
  @ApiData(ThemePreviewView, 'The link.')
  async preview(@Resource() { uuid }: Environment, @Body() dto: PreviewThemeDto): Promise<Enveloped<ThemePreviewView>> {
    const { url, expiresAt } = await this.previewTheme.preview(uuid, themeOf(dto));
    return enveloped({ url, expires_at: expiresAt.toISOString() });
  }
}
