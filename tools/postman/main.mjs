// npm run postman: writes the Postman collection of the API into dist/, or into the given file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { inRoot } from '../build/files.mjs';
import { FILE_NAME, postmanCollection } from './collection.mjs';

const [file = inRoot(`dist/${FILE_NAME}`)] = process.argv.slice(2);
const collection = await postmanCollection(JSON.parse(readFileSync(inRoot('openapi.json'), 'utf8')));
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(collection, null, 2)}\n`);
const requests = collection.item.reduce((sum, folder) => sum + folder.item.length, 0);
process.stdout.write(`${file}: ${requests} requests.\n`);
