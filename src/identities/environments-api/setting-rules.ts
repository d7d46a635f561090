import { ValidateBy } from 'class-validator';
import { parseOrigin, parseSecureOrigin } from '../environments/origins';
import { isLogoUrl } from '../environments/theme';

/** A list of which every item is an origin by `parse`. */
const isOrigins = (name: string, parse: (text: string) => string | null) =>
  ValidateBy({
    name,
    validator: {
      validate: (value: unknown) =>
        !Array.isArray(value) || value.every((item) => typeof item === 'string' && parse(item) !== null),
    },
  });

export const IsOrigins = () => isOrigins('isOrigins', parseOrigin);
export const IsSecureOrigins = () => isOrigins('isSecureOrigins', parseSecureOrigin);

export const IsLogoUrl = () =>
  ValidateBy({
    name: 'isLogoUrl',
    validator: { validate: (value: unknown) => typeof value !== 'string' || value === '' || isLogoUrl(value) },
  });
