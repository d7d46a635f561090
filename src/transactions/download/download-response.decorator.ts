import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ProvisionedDocumentView } from './provisioned-document.view';

/** The bytes, or with `Accept` the document's own MIME type, which is usually PDF. */
const FILE = binary('application/octet-stream', 'application/pdf');
/** The form of a rendition is a PDF or XML. */
const RENDITION = binary('application/pdf', 'application/xml');
const ETAG = {
  description: 'The SHA-256 of the bytes, in quotes. Only for the bytes.',
  schema: { type: 'string' as const, pattern: '^"[0-9a-f]{64}"$' },
  example: '"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"',
};
const CACHE_CONTROL = {
  description: 'Intermediaries must not store the response.',
  schema: { type: 'string' as const, enum: ['private, no-store'] },
};
const FILE_HEADERS = {
  'Content-Disposition': {
    description: 'The name of the file. Only for the bytes.',
    schema: { type: 'string' as const },
    example: 'attachment; filename="invoice-4711.pdf"',
  },
  'Accept-Ranges': {
    description: 'Ranges are supported. Only for the bytes.',
    schema: { type: 'string' as const, enum: ['bytes'] },
  },
  ETag: ETAG,
  'Cache-Control': CACHE_CONTROL,
};
const CONTENT_RANGE = {
  description: 'The returned range and the total size in bytes.',
  required: true,
  schema: { type: 'string' as const },
  example: 'bytes 0-1023/152340',
};

/**
 * Documents the responses of {@link PullDocument}: the payload as JSON, or the bytes, complete or in part (RFC 9110
 * 14).
 */
export const DownloadResponse = () =>
  applyDecorators(
    ...requestHeaders('It applies to the bytes, not to JSON.'),
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
    ...partialResponses(FILE),
  );

/** Documents the responses of {@link PullRendition}: always the bytes. */
export const RenditionResponse = () =>
  applyDecorators(
    ...requestHeaders(),
    ApiResponse({ status: 200, description: 'The rendition.', headers: FILE_HEADERS, content: RENDITION }),
    ...partialResponses(RENDITION),
  );

function binary(...types: string[]) {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' as const, format: 'binary' } }]));
}

function requestHeaders(limitation = '') {
  return [
    ApiHeader({
      name: 'Range',
      required: false,
      description: `The requested range of the bytes; only a single range is supported. ${limitation}`.trimEnd(),
      schema: { type: 'string' },
      example: 'bytes=0-1023',
    }),
    ApiHeader({
      name: 'If-Range',
      required: false,
      description: 'The `ETag` of the part that you have: if it has changed, `Range` is ignored.',
      schema: { type: 'string' },
      example: ETAG.example,
    }),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The `ETag` of the bytes that you have: if it has not changed, the response is 304.',
      schema: { type: 'string' },
      example: ETAG.example,
    }),
  ];
}

function partialResponses(content: typeof FILE) {
  return [
    ApiResponse({
      status: 206,
      description: 'The requested range of the bytes.',
      headers: { ...FILE_HEADERS, 'Content-Range': CONTENT_RANGE },
      content,
    }),
    ApiResponse({
      status: 304,
      description: 'Not modified: `If-None-Match` contains the current `ETag`.',
      headers: FILE_HEADERS,
    }),
  ];
}
