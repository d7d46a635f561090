import compression from 'compression';

/** Compresses JSON of more than 1 KB if the client accepts it (decisions 1); documents are mostly compressed already. */
export const compressJson = compression({
  threshold: 1024,
  filter: (_request, response) => /^application\/json\b/.test(String(response.getHeader('Content-Type'))),
});
