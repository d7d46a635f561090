import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ProvisionedDocumentView } from './provisioned-document.view';

/** The bytes; with `Accept` their own type, of which PDF is the usual one. */
const FILE = Object.fromEntries(
  ['application/octet-stream', 'application/pdf'].map((type) => [
    type,
    { schema: { type: 'string' as const, format: 'binary' } },
  ]),
);
const ETAG = {
  description: 'The SHA-256 of the bytes, in quotes. With the bytes only.',
  schema: { type: 'string' as const, pattern: '^"[0-9a-f]{64}"$' },
  example: '"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"',
};
const CACHE_CONTROL = {
  description: 'Never kept by anybody in between.',
  schema: { type: 'string' as const, enum: ['private, no-store'] },
};
const FILE_HEADERS = {
  'Content-Disposition': {
    description: 'The name of the file. With the bytes only.',
    schema: { type: 'string' as const },
    example: 'attachment; filename="invoice-4711.pdf"',
  },
  'Accept-Ranges': {
    description: 'Parts of the bytes can be asked for. With the bytes only.',
    schema: { type: 'string' as const, enum: ['bytes'] },
  },
  ETag: ETAG,
  'Cache-Control': CACHE_CONTROL,
};
const CONTENT_RANGE = {
  description: 'Which part it is, and of how many bytes.',
  required: true,
  schema: { type: 'string' as const },
  example: 'bytes 0-1023/152340',
};

/** Documents how {@link PullDocument} answers: the payload as JSON, or the bytes, whole or in part (RFC 9110 14). */
export const DownloadResponse = () =>
  applyDecorators(
    ApiHeader({
      name: 'Range',
      required: false,
      description: 'The part of the bytes that is wanted; one only. Counts for the bytes, not for JSON.',
      schema: { type: 'string' },
      example: 'bytes=0-1023',
    }),
    ApiHeader({
      name: 'If-Range',
      required: false,
      description: 'The `ETag` of the part that you have: with another one, `Range` is ignored.',
      schema: { type: 'string' },
      example: ETAG.example,
    }),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The `ETag` of the bytes that you have: when nothing has changed, the answer is 304.',
      schema: { type: 'string' },
      example: ETAG.example,
    }),
    ApiExtraModels(ProvisionedDocumentView),
    ApiResponse({
      status: 200,
      description: 'The document.',
      headers: FILE_HEADERS,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['data'],
            properties: { data: { $ref: getSchemaPath(ProvisionedDocumentView) } },
          },
        },
        ...FILE,
      },
    }),
    ApiResponse({
      status: 206,
      description: 'The part of the bytes that `Range` asked for.',
      headers: { ...FILE_HEADERS, 'Content-Range': CONTENT_RANGE },
      content: FILE,
    }),
    ApiResponse({
      status: 304,
      description: 'You have the bytes already: `If-None-Match` names them.',
      headers: FILE_HEADERS,
    }),
  );
