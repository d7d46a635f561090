import type { OpenAPIObject } from '@nestjs/swagger';

/** The types of the parts of an OpenAPI document; @nestjs/swagger exports only the type of the whole document. */
export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type Components = NonNullable<OpenAPIObject['components']>;
export type Schema = Exclude<NonNullable<Components['schemas']>[string], Ref>;
export interface Ref {
  $ref: string;
}
export type Response = Exclude<NonNullable<Operation['responses'][string]>, Ref>;
export type Parameter = Exclude<NonNullable<Operation['parameters']>[number], Ref>;
export type Header = Exclude<NonNullable<Response['headers']>[string], Ref>;
export type Example = Exclude<NonNullable<Components['examples']>[string], Ref>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** Every operation of the given paths (or webhooks) with its path. */
export function operationsOf(
  paths: Readonly<Record<string, PathItem>>,
): { path: string; method: Method; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  );
}

export const isRef = (node: object): node is Ref => '$ref' in node;
