# A turnloop worker. It runs the module that exports your agents: mount it at /app/agents, or build an image on this one:
#   FROM turnloop-worker
#   COPY --chown=node:node . agents/
#   CMD ["worker", "./agents/agents.ts"]

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm run build

FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# None of what runs here needs an install script.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
# Temporal's client takes the system's certificates for TLS (Temporal Cloud), and the slim image has none.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /build/dist dist
COPY package.json ./
COPY deploy/worker-health.mjs deploy/
# So that agents with a package.json of their own find `turnloop`, and the same copy of it.
RUN ln -s /app node_modules/turnloop \
  && mkdir agents .turnloop \
  && chown node:node .turnloop
USER node
# The store; a volume there survives the container.
VOLUME /app/.turnloop
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/cli/turnloop.js"]
CMD ["worker", "./agents/agents.ts", "--json"]
