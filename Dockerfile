# The server as an image: docs/guides/containers.md. Any base with Node.js 26 or 24 and npm on a glibc will do.
ARG BASE=node:26-slim

# What the server needs is made with the development packages, then those are taken away.
FROM ${BASE} AS made
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --ignore-scripts
COPY . .
# The base brings Node.js, so that of the packages goes. Other optional packages stay: esbuild's program is one.
RUN node scripts/build.ts && node scripts/docs.ts && npm prune --omit=dev --ignore-scripts && \
    rm -rf node_modules/node-linux-* node_modules/.bin/node && node scripts/warm-up.ts
# Nobody reads the sources of packages' sources.
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=made /app/package.json /app/LICENSE ./
COPY --from=made /app/node_modules node_modules
COPY --from=made /app/generated generated
COPY --from=made /app/build build
COPY --from=made /app/src src
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "src/server/healthcheck.js"]
# As `npm start`, without npm, which would keep signals from the server.
CMD ["node", "src/start.js"]
