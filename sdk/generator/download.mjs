// Downloads OpenAPI Generator, and verifies it, unless it is there: `npm run -s sdk:generator`.
import { verifiedJar } from './generator.mjs';

verifiedJar();
