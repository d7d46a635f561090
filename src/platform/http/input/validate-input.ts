import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';
import type { Caller, CallerRequest } from '../access/access.decorator';
import { type InvalidField, invalid, type Params } from '../../errors/errors';
import { UnreadableBody } from './json-body';

/** The error code for each rule of class-validator. A violation of any other rule is `INVALID_VALUE`. */
const CODES: Readonly<Record<string, string>> = {
  isDefined: 'REQUIRED',
  isNotEmpty: 'REQUIRED',
  isString: 'INVALID_TYPE_STRING',
  isObject: 'INVALID_TYPE_OBJECT',
  isArray: 'INVALID_TYPE_ARRAY',
  isBoolean: 'INVALID_TYPE_BOOLEAN',
  isInt: 'INVALID_TYPE_INTEGER',
  isUuid: 'INVALID_UUID',
  isUrl: 'INVALID_URL',
  isEmail: 'INVALID_EMAIL',
  isIn: 'INVALID_OPTION',
  isRfc3339: 'INVALID_DATETIME',
  isMetadata: 'INVALID_METADATA',
  isPlainText: 'INVALID_FORMAT',
  min: 'TOO_SMALL',
  max: 'TOO_LARGE',
  minLength: 'TOO_SHORT',
  maxLength: 'TOO_LONG',
  arrayMaxSize: 'TOO_MANY',
  arrayMinSize: 'TOO_FEW',
  arrayUnique: 'NOT_UNIQUE',
  isWebhookUrl: 'INVALID_WEBHOOK_URL',
  isOrigins: 'INVALID_ORIGIN',
  isSecureOrigins: 'INVALID_SECURE_ORIGIN',
  isIpRanges: 'INVALID_IP_RANGE',
  isLogoUrl: 'INVALID_URL',
  matches: 'INVALID_FORMAT',
  whitelistValidation: 'UNKNOWN_PROPERTY',
};

/** When a value violates several rules, the first of these is reported. */
const RULE_PRIORITY = ['whitelistValidation', 'isDefined', 'isNotEmpty', 'isString', 'isObject', 'isArray', 'isInt'];

const PRIMITIVES: readonly unknown[] = [String, Boolean, Number, Array, Object];

/** Converts input to its DTO and reports all errors at once, including unknown properties (decisions 1 and 2). */
@Injectable()
export class ValidateInput implements PipeTransform {
  /** Query DTOs that are valid when empty: most requests send no query, and skip the validation. */
  private readonly validWhenEmpty = new WeakSet<object>();

  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' && type !== 'query') return value;
    if (value instanceof UnreadableBody) throw value.error;
    if (!metatype || PRIMITIVES.includes(metatype)) return value;
    if (type === 'body') return validated(metatype as Type<object>, value, asGiven);
    if (isEmpty(value) && this.validWhenEmpty.has(metatype)) return new (metatype as Type<object>)();
    // Query values are text; class-transformer converts them to the types of the DTO.
    const input = await validated(metatype as Type<object>, value, plainToInstance);
    if (isEmpty(value)) this.validWhenEmpty.add(metatype);
    return input;
  }
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/**
 * The body of a route whose DTO depends on the caller or on the resource in the path, or whose body a guard has checked already.
 * Document it with `@ApiBody`.
 */
export const BodyFor = createParamDecorator(
  (choose: (caller: Caller, request: CallerRequest) => Type<object>, context: ExecutionContext): Promise<object> => {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const body: unknown = request.body;
    if (body instanceof UnreadableBody) throw body.error;
    return validated(choose(request.caller!, request), body, asGiven, request);
  },
);

async function validated(
  metatype: Type<object>,
  value: unknown,
  convert: (metatype: Type<object>, given: object) => object,
  { caller, invalidBodyFields = [] }: Pick<CallerRequest, 'caller' | 'invalidBodyFields'> = {},
): Promise<object> {
  const given = value === undefined ? {} : value;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw invalid([{ field: 'body', code: 'INVALID_TYPE_OBJECT' }]);
  }
  // class-validator does not reject names of Object.prototype, and `constructor` would select other rules.
  const names = Object.keys(given).filter((name) => name in Object.prototype);
  const unknown = names.map((field) => ({ field, code: 'UNKNOWN_PROPERTY' }));
  const usual = names.length > 0 ? omit(given, names) : given;

  const input = convert(metatype, usual);
  const errors = await validate(input, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: false,
    validationError: { target: true, value: false },
  });
  if (errors.length > 0 || unknown.length > 0 || invalidBodyFields.length > 0) {
    const found = [...errors.flatMap((error) => toInvalidFields(error, '')), ...unknown, ...invalidBodyFields];
    throw invalid([...found, ...crossFieldErrors(metatype, usual, caller)]);
  }
  return input;
}

/** JSON is typed already. A deep conversion would call a function found under `constructor`, and overflow on deep nesting. */
const asGiven = (metatype: Type<object>, given: object): object => Object.assign(new metatype(), given);

const omit = (given: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

/** A DTO with rules across fields. They are evaluated when other errors exist, so that all errors are reported at once. */
export interface CrossFieldValidation {
  crossFieldErrors(input: object, caller?: Caller): InvalidField[];
}

function crossFieldErrors(metatype: object, input: object, caller?: Caller): InvalidField[] {
  return 'crossFieldErrors' in metatype ? (metatype as CrossFieldValidation).crossFieldErrors(input, caller) : [];
}

function toInvalidFields(error: ValidationError, parent: string): InvalidField[] {
  const field = parent ? `${parent}.${error.property}` : error.property;
  const nested = (error.children ?? []).flatMap((child) => toInvalidFields(child, field));
  const broken = Object.keys(error.constraints ?? {});
  const rule = RULE_PRIORITY.find((name) => broken.includes(name)) ?? broken[0];
  if (!rule) return nested;
  return [{ field, code: CODES[rule] ?? 'INVALID_VALUE', params: limits(error, rule) }, ...nested];
}

/** The limits of a violated rule (`{ limit: 255 }`), which class-validator stores with the rule and not with the error. */
function limits(error: ValidationError, rule: string): Params {
  const target = error.target?.constructor;
  if (!target) return {};
  const metadata = getMetadataStorage()
    .getTargetValidationMetadatas(target, '', false, false)
    .find(({ propertyName, name }) => propertyName === error.property && name === rule);
  const limit: unknown = metadata?.constraints?.[0];
  if (Array.isArray(limit)) return { options: limit.join(', ') };
  return typeof limit === 'number' ? { limit } : {};
}
