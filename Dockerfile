# Switchyard in a container; docs/containers.md says how to run it.
# The base has Node.js 24, npm and glibc: src/start.js tells glibc how to give memory back.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /opt/switchyard
COPY package.json package-lock.json .npmrc ./
# The scripts of our own need the sources, and the package `node` would bring what the base has.
RUN npm ci --ignore-scripts && npm rebuild esbuild
COPY . .
RUN node scripts/prepare.js && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /opt/switchyard
COPY --from=build /opt/switchyard/package.json /opt/switchyard/LICENSE ./
COPY --from=build /opt/switchyard/node_modules node_modules
COPY --from=build /opt/switchyard/build build
COPY --from=build /opt/switchyard/generated generated
COPY --from=build /opt/switchyard/src src
RUN mkdir /data && chown 1000:1000 /data && ln -s /opt/switchyard/src/switchyard.js /usr/local/bin/switchyard
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "src/healthcheck.js"]
# As `npm start` does. SIGTERM makes it finish what runs: give it longer than DRAIN_DELAY_MS and DRAIN_TIMEOUT_MS.
ENTRYPOINT ["node", "src/start.js"]
