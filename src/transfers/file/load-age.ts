/** The library of the file format, on demand: only exports and imports need it, and it would be a twentieth of every start. */
export const loadAge = () => import('age-encryption');
