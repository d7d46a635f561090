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

@ApiSchema({ description: 'The position of a page in a list.' })
export class PageMeta {
  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 256,
    description: 'Send this value as `cursor` to get the next page; null on the last page.',
    example: 'WzQyXQ',
  })
  readonly next_cursor: string | null;

  @ApiProperty({ description: 'Whether there is another page at the moment.', example: false })
  readonly has_more: boolean;
}

/** A page of a polled feed (decisions 5): its `meta` also contains the cursor for the next poll. */
export interface FeedPage<T> extends Enveloped<T[]> {
  readonly meta: FeedMeta;
}

@ApiSchema({ description: 'The position of a page in a feed, with the cursor for the next poll.' })
export class FeedMeta extends PageMeta {
  @ApiProperty({
    maxLength: 256,
    description:
      'The position after the last item of this page; for an empty page, the cursor that was sent. Store it and send it as `cursor` later to get the items added since.',
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

/** The same for a polled feed ({@link FeedPage}). */
export const ApiFeed = (model: Type, description: string) => apiPage(model, description, FeedMeta);

/** Documents a success body `{"data": [Model], "meta": …}` with another `meta`. */
export const apiPage = (model: Type, description: string, meta: typeof PageMeta) =>
  applyDecorators(
    ApiExtraModels(model, meta),
    ApiResponse({
      status: 200,
      description,
      schema: {
        type: 'object',
        required: ['data', 'meta'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(model) }, description: 'The items of this page.' },
          meta: { allOf: [{ $ref: getSchemaPath(meta) }], description: 'Pagination.' },
        },
      },
    }),
  );
