import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** contract 1: a success body is `{"data": …}`. */
export interface Enveloped<T> {
  readonly data: T;
}

export const enveloped = <T>(data: T): Enveloped<T> => ({ data });

/** A page of a list (contract 1): `{"data": […], "meta": {"next_cursor", "has_more"}}`. */
export interface Page<T> extends Enveloped<T[]> {
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
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
export const ApiPage = (model: Type, description: string) =>
  applyDecorators(
    ApiExtraModels(model),
    ApiResponse({
      status: 200,
      description,
      schema: {
        type: 'object',
        required: ['data', 'meta'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(model) } },
          meta: {
            type: 'object',
            required: ['next_cursor', 'has_more'],
            properties: {
              next_cursor: {
                type: 'string',
                nullable: true,
                description: 'Send it as `cursor` to get what follows; null when nothing can follow.',
              },
              has_more: { type: 'boolean', description: 'Whether there is a further page right now.' },
            },
          },
        },
      },
    }),
  );
