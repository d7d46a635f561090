import { IsIn, IsNotEmpty, IsObject, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { ApiError, type InvalidField, unprocessable } from '../../errors/errors';
import { UnreadableBody } from './json-body';
import { PageQuery } from './page';
import { ValidateInput } from './validate-input';

class Sample {
  @IsNotEmpty()
  @IsString()
  @MaxLength(5)
  name: string;

  @IsOptional()
  @IsUUID()
  id?: string;

  @IsOptional()
  @IsIn(['a', 'b'])
  kind?: string;

  @IsOptional()
  @IsObject()
  fields?: object;
}

const pipe = new ValidateInput();
const body = (value: unknown, metatype: unknown = Sample) =>
  pipe.transform(value, { type: 'body', metatype: metatype as never, data: undefined });
const query = (value: unknown) => pipe.transform(value, { type: 'query', metatype: PageQuery, data: undefined });

async function invalidFieldsOf(outcome: Promise<unknown>): Promise<readonly InvalidField[]> {
  try {
    await outcome;
  } catch (error) {
    if (error instanceof ApiError) return error.details.errors ?? [];
    throw error;
  }
  return [];
}

const codes = async (outcome: Promise<unknown>) =>
  Object.fromEntries((await invalidFieldsOf(outcome)).map(({ field, code }) => [field, code]));

describe('ValidateInput', () => {
  it('converts valid input to its DTO', async () => {
    const made = await body({ name: 'x', kind: 'a', fields: { deep: { er: [1] } } });
    expect(made).toBeInstanceOf(Sample);
    expect({ ...(made as object) }).toEqual({ name: 'x', kind: 'a', fields: { deep: { er: [1] } } });
  });

  it('reports every field once, with the most specific code', async () => {
    expect(await codes(body({ name: 12345678, id: 'x', kind: 'c', fields: [], more: 1, less: 2 }))).toEqual({
      name: 'INVALID_TYPE_STRING',
      id: 'INVALID_UUID',
      kind: 'INVALID_OPTION',
      fields: 'INVALID_TYPE_OBJECT',
      more: 'UNKNOWN_PROPERTY',
      less: 'UNKNOWN_PROPERTY',
    });
    expect(await codes(body({ name: '' }))).toEqual({ name: 'REQUIRED' });
    expect(await codes(body({ name: 'too long' }))).toEqual({ name: 'TOO_LONG' });
  });

  it('contains the limits for the messages', async () => {
    const [long] = await invalidFieldsOf(body({ name: 'too long' }));
    expect(long!.params).toEqual({ limit: 5 });
    const [kind] = await invalidFieldsOf(body({ name: 'x', kind: 'c' }));
    expect(kind!.params).toEqual({ options: 'a, b' });
    const [limit] = await invalidFieldsOf(query({ limit: '501' }));
    expect(limit!.params).toEqual({ limit: 500 });
  });

  it.each([undefined, {}])('accepts %j as an empty body', async (value) => {
    expect(await codes(body(value))).toEqual({ name: 'REQUIRED' });
  });

  it.each([[null], [[]], ['text'], [7], [true]])('rejects %j, which is not an object', async (value) => {
    expect(await codes(body(value))).toEqual({ body: 'INVALID_TYPE_OBJECT' });
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'handles the property name %s safely',
    async (name) => {
      const hostile: unknown = JSON.parse(`{"${name}":{"prototype":{}},"name":7}`);
      expect(await codes(body(hostile))).toEqual({ [name]: 'UNKNOWN_PROPERTY', name: 'INVALID_TYPE_STRING' });
      const inFields: unknown = JSON.parse(`{"name":"x","fields":{"${name}":1}}`);
      expect(await codes(body(inFields))).toEqual({});
      expect(({} as Record<string, unknown>).prototype).toBeUndefined();
    },
  );

  it('accepts any nesting depth', async () => {
    const deep: unknown = JSON.parse(`{"name":"x","fields":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`);
    expect(await codes(body(deep))).toEqual({});
  });

  it('throws the error of an unreadable body', async () => {
    const error = unprocessable('MALFORMED_JSON');
    await expect(body(new UnreadableBody(error))).rejects.toBe(error);
  });

  it('converts numbers in the query', async () => {
    expect(await query({ limit: '20' })).toMatchObject({ limit: 20 });
    expect(await codes(query({ limit: '' }))).toEqual({ limit: 'TOO_SMALL' });
    expect(await codes(query({ limit: ['1', '2'] }))).toEqual({ limit: 'INVALID_TYPE_INTEGER' });
  });

  it('ignores path parameters and input without a DTO', async () => {
    expect(await pipe.transform('x', { type: 'param', metatype: String, data: 'uuid' })).toBe('x');
    expect(await body({ any: 1 }, Object)).toEqual({ any: 1 });
  });
});
