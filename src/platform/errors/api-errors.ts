import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from './error-codes';

/** The extensions that hold the codes until the responses are written. A second value of one extension would be ignored. */
export const API_ERRORS_EXTENSION = 'x-api-errors';
export const RESOURCE_ERRORS_EXTENSION = 'x-resource-errors';

/**
 * Documents the error codes of an operation: `@ApiErrors('CONNECTION_NOT_ACTIVE')`. The codes that follow from its credentials,
 * parameters and body are added without it.
 */
export const ApiErrors = (...codes: ErrorCode[]): MethodDecorator => ApiExtension(API_ERRORS_EXTENSION, codes);

/** The error codes of the guard of `@Owned`, which declares them. */
export const ApiResourceErrors = (...codes: ErrorCode[]): ClassDecorator & MethodDecorator =>
  ApiExtension(RESOURCE_ERRORS_EXTENSION, codes);
