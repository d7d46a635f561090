# The service, its workers, the migration step and the support team's command line in one image; ROLE and the command
# decide. Debian, because npm brings no musl binaries of everything; Node from the image, not from npm.

# Held by its digest; the tag is for the reader. docs/operate/operations.md says how to move to another one.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The image has Node: no install scripts. The bundler of the hosted UI is an optional package of the platform's.
RUN npm ci --ignore-scripts
COPY .swcrc mikro-orm.config.ts ./
COPY src src
COPY migrations migrations
COPY i18n i18n
COPY docs docs
COPY openapi.json ./
COPY sdk sdk
COPY ui ui
COPY console console
COPY connect connect
COPY tools/build tools/build
RUN node tools/build/main.mjs
COPY tools/docs-site tools/docs-site
COPY tools/postman tools/postman
COPY CHANGELOG.md SECURITY.md README.md ARCHITECTURE.md CONTRIBUTING.md .env.example ./
RUN node tools/build/main.mjs docs

FROM ${NODE_IMAGE} AS packages
WORKDIR /packages
COPY package.json package-lock.json .npmrc ./
# Nothing here starts a database, and Node is in the image: no embedded PostgreSQL, no Node from npm.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production PORT=3000
WORKDIR /app
COPY --from=packages /packages/node_modules node_modules
COPY --from=build /build/dist dist
# The scripts of package.json look with it for sources to build, and find none here.
COPY tools/build tools/build
COPY package.json ./
RUN chmod 755 dist/src/cli.js && ln -s /app/dist/src/cli.js /usr/local/bin/docfetch
USER node
EXPOSE 3000
# Alive, not ready: a database that is away must not get every container restarted.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No npm in between: SIGTERM reaches the service, which ends its work in order. The options are those of `npm start` (docs/adr/0019, 0022).
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=40", "dist/src/main.js"]
