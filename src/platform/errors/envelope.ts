import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, ApiSchema, getSchemaPath } from '@nestjs/swagger';

/** decisions 1: a success body is `{"data": …}`. */
export interface Enveloped<T> {
  readonly data: T;
}

export const enveloped = <T>(data: T): Enveloped<T> => ({ data });

/** A page of a list (decisions 1): `{"data": […], "meta": {"next_cursor", "has_more"}}`. */
export interface Page<T> extends Enveloped<T[]> {
  readonly meta: PageMeta;
}

@ApiSchema({ description: 'Where a page of a list ends.' })
export class PageMeta {
  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 256,
    description: 'Send it as `cursor` to get the next page; null on the last page.',
    example: 'WzQyXQ',
  })
  readonly next_cursor: string | null;

  @ApiProperty({ description: 'Whether there is a further page right now.', example: false })
  readonly has_more: boolean;
}

/** A page of a feed that is polled (decisions 5): its `meta` also says where to ask again later. */
export interface FeedPage<T> extends Enveloped<T[]> {
  readonly meta: FeedMeta;
}

@ApiSchema({ description: 'Where a page of a feed ends, and where to ask again later.' })
export class FeedMeta extends PageMeta {
  @ApiProperty({
    maxLength: 256,
    description:
      'Points behind the last row of this page; of an empty page it is the cursor that was sent. Keep it, and send it as `cursor` later to get what has been added since.',
    example: 'WzQyXQ',
  })
  readonly poll_cursor: string;
}

/** Documents a success body `{"data": Model}`. */
export const ApiData = (model: Type, description: string, status = 200) =>
  applyDecorators(
    ApiExtraModels(model),
    ApiResponse({
      status,
      description,
      schema: { type: 'object', required: ['data'], properties: { data: { $ref: getSchemaPath(model) } } },
    }),
  );

/** Documents a success body `{"data": [Model], "meta": …}`. */
export const ApiPage = (model: Type, description: string) => apiPage(model, description, PageMeta);

/** The same for a feed that is polled ({@link FeedPage}). */
export const ApiFeed = (model: Type, description: string) => apiPage(model, description, FeedMeta);

const apiPage = (model: Type, description: string, meta: typeof PageMeta) =>
  applyDecorators(
    ApiExtraModels(model, meta),
    ApiResponse({
      status: 200,
      description,
      schema: {
        type: 'object',
        required: ['data', 'meta'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(model) }, description: 'The rows of this page.' },
          meta: { allOf: [{ $ref: getSchemaPath(meta) }], description: 'How to go on.' },
        },
      },
    }),
  );
