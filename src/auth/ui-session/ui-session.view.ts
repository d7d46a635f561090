import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IdentityView } from '../../identities/identity.view';
import type { Lang } from '../../platform/i18n/lang';
import { apiEnum } from '../../platform/openapi/api-enum';
import { LANGUAGE } from '../ui-token/ui-token.dto';

export const UI_ACTIONS = ['CREATE', 'UPDATE', 'DELETE', 'DISABLE', 'ENABLE', 'FETCH_NOW'] as const;
export type UiAction = (typeof UI_ACTIONS)[number];

const UI_ACTION = apiEnum<UiAction>('UiAction', 'An action that a UI token permits for connections.', {
  CREATE: 'create one',
  UPDATE: 'change its name and the input of both steps',
  DELETE: 'delete it',
  DISABLE: 'disable it',
  ENABLE: 'enable it again',
  FETCH_NOW: 'fetch ahead of the schedule',
});

@ApiSchema({
  name: 'UiPreselection',
  description: 'The scope of the token; nothing else can be selected.',
})
export class PreselectionView {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The only connection that the token can access: open its edit view.',
    example: null,
  })
  connection_uuid: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The only integration that can be selected; that of the connection when one is preselected.',
    example: 'imap',
  })
  integration_id: string | null;
}

@ApiSchema({ name: 'UiTheme', description: 'The theme of the hosted UI.' })
export class ThemeView {
  @ApiProperty({ type: String, nullable: true, description: 'The name to show.', example: 'Acme Accounting' })
  name: string | null;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'The logo to show.',
    example: 'https://app.example.com/logo.svg',
  })
  logo_url: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'A CSS color.', example: '#1f6feb' })
  primary_color: string | null;
}

@ApiSchema({ description: 'The session of the UI token, for the hosted UI.' })
export class UiSessionView {
  @ApiProperty({ type: IdentityView, description: 'The identity whose connections are shown.' })
  identity: IdentityView;

  @ApiProperty({ type: PreselectionView, description: 'The scope of the token.' })
  preselection: PreselectionView;

  @ApiProperty({
    ...UI_ACTION,
    isArray: true,
    description:
      'The actions that the token permits for connections. Empty when its preselected connection has been deleted.',
    example: ['CREATE', 'UPDATE', 'DELETE', 'DISABLE', 'ENABLE', 'FETCH_NOW'],
  })
  allowed_actions: UiAction[];

  @ApiProperty({ type: ThemeView, description: 'The theme.' })
  theme: ThemeView;

  @ApiProperty({
    ...LANGUAGE,
    description: 'The language of the token, otherwise that of the request.',
    example: 'en',
  })
  lang: Lang;

  @ApiProperty({
    format: 'date-time',
    description: 'When the token expires.',
    example: '2026-11-20T09:00:00.000Z',
  })
  expires_at: string;

  @ApiProperty({
    description: 'Whether there is a return URL; get it with `POST /v1/ui/return`.',
    example: true,
  })
  has_return_url: boolean;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description:
      'The origin of the return URL: the only one to which the hosted UI reports its result in a popup or a frame. Null without a return URL, and when the environment no longer allows the origin.',
    example: 'https://app.example.com',
  })
  client_origin: string | null;

  @ApiProperty({
    description:
      'Whether users see integrations with `available: false`, which they cannot connect: the setting `SHOW_UNAVAILABLE` of the deployment. The hosted UI hides them otherwise.',
    example: false,
  })
  show_unavailable: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'With this reference and the cookie of this browser the hosted UI restores the session after a reload (`POST /v1/ui/session/restore`). Null when the request has no such cookie, as in a frame and in your own front end.',
    example: null,
  })
  reload_reference: string | null;
}

@ApiSchema({ name: 'UiReturn', description: "The URL to send the user's browser to." })
export class ReturnView {
  @ApiProperty({
    format: 'uri',
    description: 'The signed return URL with its parameters. Valid for five minutes.',
    example:
      'https://app.example.com/documents?result=success&action=created&identity_uuid=019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a&ts=1763627400&nonce=q2b1nJc0Tt6h5wXkqWmGZg&sig=u1Z9x0T3m2b5nJc0Tt6h5wXkqWmGZgQ8pLr4sVd7yAE',
  })
  url: string;
}
