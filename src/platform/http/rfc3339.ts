import { ValidateBy } from 'class-validator';

const RFC_3339 = /^\d{4}-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;

/** A point in time (spec 1: RFC 3339), or a whole day, which counts from its beginning in UTC. */
export const IsRfc3339 = () =>
  ValidateBy({
    name: 'isRfc3339',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && RFC_3339.test(value) && !Number.isNaN(new Date(value).getTime()),
    },
  });
